import { expect, it } from 'vitest'
import { SpaceClaims } from '../../../src/storage/local/space-claims.ts'

const HOUR = 60 * 60 * 1000

function claimsAt(): { claims: SpaceClaims; wait(milliseconds: number): void } {
  let now = 0
  return { claims: new SpaceClaims(() => now), wait: (milliseconds) => void (now += milliseconds) }
}

it('claims of one disk add up, and others do not count', () => {
  const { claims } = claimsAt()
  claims.set('a', 1n, 100)
  claims.set('b', 1n, 20)
  claims.set('c', 2n, 3)
  expect([claims.on(1n), claims.on(2n), claims.on(3n)]).toEqual([120, 3, 0])
})

it('a claim shrinks with what has come and goes with the last byte', () => {
  const { claims } = claimsAt()
  claims.set('a', 1n, 100)
  claims.set('a', 1n, 40)
  expect(claims.on(1n)).toBe(40)
  claims.set('a', 1n, 0)
  expect(claims.on(1n)).toBe(0)
})

it('a claim that is given up is free at once', () => {
  const { claims } = claimsAt()
  claims.set('a', 1n, 100)
  claims.drop('a')
  expect(claims.on(1n)).toBe(0)
})

it('whoever begins an upload and sends nothing keeps others off the disk for an hour at most', () => {
  const { claims, wait } = claimsAt()
  claims.set('a', 1n, 100)
  wait(HOUR / 2)
  claims.set('b', 1n, 7)
  wait(HOUR / 2 + 1)
  expect(claims.on(1n)).toBe(7)
})

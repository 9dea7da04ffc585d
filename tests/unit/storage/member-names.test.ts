import { expect, it } from 'vitest'
import { memberNames } from '../../../src/storage/local/worker/archive/member-names.ts'

const CONTROLS = [1, 2, 3, 4, 5, 6, 7].map((code) => String.fromCharCode(code))

/** All words of so many control characters. */
function words(length: number): string[] {
  return length === 0 ? [''] : words(length - 1).flatMap((word) => CONTROLS.map((control) => word + control))
}

it('numbers thousands of names that become equal in an archive without trying every number for each', () => {
  const names = words(5).map((word) => `${word}.txt`)
  const members = [...memberNames(names, 'tar').values()]
  expect(members.slice(0, 3)).toEqual(['_____.txt', '_____(1).txt', '_____(2).txt'])
  expect(new Set(members).size).toBe(names.length)
})

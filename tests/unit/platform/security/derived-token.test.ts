import { expect, it } from 'vitest'
import { deriveToken, digestOf, equalTexts } from '../../../../src/platform/security/tokens.ts'

const KEY = 'A'.repeat(86)

it('a derived token is the same each time, and has 128 characters that fit into addresses', () => {
  expect(deriveToken(KEY, 'share', 'abc', 'hash')).toBe(deriveToken(KEY, 'share', 'abc', 'hash'))
  expect(deriveToken(KEY, 'share', 'abc', 'hash')).toMatch(/^[\w-]{128}$/)
})

it('a derived token differs for another key or other parts, however they are joined', () => {
  const parts = [
    ['share', 'abc', 'hash'],
    ['share', 'abc', 'other'],
    ['share', 'ab', 'chash'],
    ['share', 'abchash'],
  ]
  const tokens = [
    ...parts.map((part) => deriveToken(KEY, ...part)),
    deriveToken('B'.repeat(86), 'share', 'abc', 'hash'),
  ]
  expect(new Set(tokens).size).toBe(tokens.length)
})

it('equalTexts compares texts of any length', () => {
  expect(equalTexts('abc', 'abc')).toBe(true)
  expect(equalTexts('abc', 'abcd')).toBe(false)
  expect(equalTexts('', 'a')).toBe(false)
})

it('digestOf gives SHA-256 in hex', () => {
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

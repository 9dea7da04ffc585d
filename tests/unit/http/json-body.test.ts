import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { matchKeys, parseBody } from '../../../src/http/protocol/validation.ts'

describe('parseBody', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' {"a":1} trailing words', { a: 1 }],
    ['{"a":"}\\"]"}{"b":2}', { a: '}"]' }],
    ['[1,[2]]]', [1, [2]]],
    ['null', null],
  ])('reads the first value of %s', (text, value) => {
    expect(parseBody(text)).toEqual(value)
  })

  it.each(['', '  \n', '{"a":', 'username=admin', '{]', 'x{}'])('refuses %j', (text) => {
    expect(() => parseBody(text)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }) as Error)
  })

  it.each(['{"__proto__":{"admin":true}}', '{"a":[{"__proto__":1}]}'])('refuses the key __proto__ in %s', (text) => {
    expect(() => parseBody(text)).toThrow('__proto__')
  })

  it.each(['{"', '{"\\'])('quickly refuses a text that begins with %s and never ends', (begin) => {
    // Each of these quotes could start a new scan to the end, in quadratic time.
    expect(() => parseBody(begin + '\\"'.repeat(200_000))).toThrow('not valid')
  })
})

describe('matchKeys', () => {
  const schema = Type.Object({ userName: Type.String(), inner: Type.Object({ deep: Type.Integer() }) })

  it('takes keys in another case, at every depth', () => {
    expect(matchKeys({ USERNAME: 'a', Inner: { DEEP: 1 } }, schema)).toEqual({ userName: 'a', inner: { deep: 1 } })
  })

  it('prefers the exact key, wherever it stands', () => {
    expect(matchKeys({ userName: 'exact', USERNAME: 'other' }, schema)).toEqual({ userName: 'exact' })
    expect(matchKeys({ USERNAME: 'other', userName: 'exact' }, schema)).toEqual({ userName: 'exact' })
  })

  it('leaves unknown keys and other values as they are', () => {
    expect(matchKeys({ other: 1 }, schema)).toEqual({ other: 1 })
    expect(matchKeys('text', schema)).toBe('text')
    expect(matchKeys([1], schema)).toEqual([1])
  })
})

it('refuses more than 64 levels, which would exhaust the stack of code that walks through them', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(parseBody(nested(64))).toBeInstanceOf(Array)
  for (const levels of [65, 100_000]) expect(() => parseBody(nested(levels))).toThrow('deeper than 64 levels')
})

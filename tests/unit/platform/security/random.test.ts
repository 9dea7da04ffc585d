import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../../../src/platform/security/random.ts'

describe('a random token', () => {
  it('never begins with a dash, like a flag of the command line', () => {
    const tokens = Array.from({ length: 2000 }, () => systemRandom.token(12))
    expect(tokens.filter((token) => !/^\w[\w-]{15}$/.test(token))).toEqual([])
    expect(new Set(tokens).size).toBe(2000)
  })
})

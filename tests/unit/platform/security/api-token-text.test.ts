import { describe, expect, it } from 'vitest'
import { claimsToBeApiToken, isApiToken, newApiToken } from '../../../../src/platform/security/api-token-text.ts'
import { systemRandom } from '../../../../src/platform/security/random.ts'

describe('an API token', () => {
  it('has a prefix for secret scanners, 43 random letters and a checksum', () => {
    const [one, other] = [newApiToken(systemRandom), newApiToken(systemRandom)]
    expect(one).toMatch(/^fmgr_[0-9A-Za-z]{49}$/)
    expect(one).not.toBe(other)
    expect(isApiToken(one)).toBe(true)
  })

  it('has the same checksum for ever, because scanners know it', () => {
    expect(newApiToken({ below: () => 0 })).toBe(`fmgr_${'0'.repeat(43)}13crJR`)
  })

  it('is recognised, but not accepted, when a letter is missing or wrong', () => {
    const token = newApiToken(systemRandom)
    const changed = token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const damaged of [token.slice(0, -1), changed, `${token}a`, 'fmgr_']) {
      expect(isApiToken(damaged)).toBe(false)
      expect(claimsToBeApiToken(damaged)).toBe(true)
    }
    expect(claimsToBeApiToken('a.b.c')).toBe(false)
  })
})

import argon2 from 'argon2'
import { describe, expect, it, vi } from 'vitest'
import { createPasswordHasher } from '../../../../src/platform/security/password-hasher.ts'

const CHEAP = { memoryCost: 16, timeCost: 1, parallelism: 1 }
const hasher = createPasswordHasher({ cost: CHEAP })

describe('hashing a password', () => {
  it('takes 64 MiB, three passes and a salt of 16 bytes unless told otherwise', async () => {
    const hash = await createPasswordHasher().hash('x')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  })

  it('gives a different hash each time, and each of them verifies', async () => {
    const hashes = [await hasher.hash('secret'), await hasher.hash('secret')]
    expect(hashes[0]).not.toBe(hashes[1])
    for (const hash of hashes) expect(await hasher.verify('secret', hash)).toBe(true)
    expect(await hasher.verify('Secret', hashes[0])).toBe(false)
  })

  it('accepts each Unicode form, also if another program has hashed another one', async () => {
    const [composed, decomposed] = ['Öl-é', 'Öl-é'.normalize('NFD')]
    const foreign = await argon2.hash(decomposed, { ...CHEAP, type: argon2.argon2id })
    for (const hash of [await hasher.hash(composed), await hasher.hash(decomposed), foreign])
      for (const typed of [composed, decomposed, 'O\u0308l-é']) expect(await hasher.verify(typed, hash)).toBe(true)
    expect(await hasher.verify('Ol-e', foreign)).toBe(false)
  })

  it('compares as many hashes for a user who does not exist, whatever was typed', async () => {
    const hash = await hasher.hash('secret')
    for (const typed of ['plain', 'é', 'e\u0301', 'é e\u0301']) {
      const calls = []
      for (const stored of [hash, undefined]) {
        const verify = vi.spyOn(argon2, 'verify')
        expect(await hasher.verify(typed, stored)).toBe(false)
        calls.push(verify.mock.calls.length)
        verify.mockRestore()
      }
      expect(calls[0]).toBe(calls[1])
    }
  })

  it('refuses more than 1024 bytes and never compares only a part', async () => {
    const longest = 'é'.repeat(512)
    const hash = await hasher.hash(longest)
    expect(await hasher.verify(longest, hash)).toBe(true)
    expect(await hasher.verify(`${longest}x`, hash)).toBe(false)
    expect(await hasher.verify(`${'x'.repeat(1024)}y`, await hasher.hash('x'.repeat(1024)))).toBe(false)
    await expect(hasher.hash(`${longest}x`)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('accepts no password for a user who does not exist', async () => {
    for (const password of ['', 'x', '\0'.repeat(32)]) expect(await hasher.verify(password, undefined)).toBe(false)
  })

  it('CVE-2026-23849, GHSA-7789-65hx-f26w: also works out a hash for a user who does not exist or has none', async () => {
    const long = 'x'.repeat(1025)
    const hash = await hasher.hash('secret')
    for (const [password, stored] of [
      ['x', undefined],
      ['x', ''],
      ['x', 'no hash'],
      [long, hash],
      ['x', hash],
    ] as const) {
      const verify = vi.spyOn(argon2, 'verify')
      expect(await hasher.verify(password, stored)).toBe(false)
      expect(verify).toHaveBeenCalledOnce()
      verify.mockRestore()
    }
  })

  it('accepts no password, and does not fail, if the hash is invalid', async () => {
    for (const text of ['', 'plain', '$argon2id$', '$2b$10$short']) expect(await hasher.verify('x', text)).toBe(false)
  })

  it('refuses callers when too many wait', async () => {
    const many = Array.from({ length: 67 }, async () => await hasher.verify('x', undefined))
    const results = await Promise.allSettled(many)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]?.reason).toMatchObject({ code: 'BUSY', details: { retryAfter: 2 } })
    expect(await hasher.verify('x', undefined)).toBe(false)
  })
})

describe('a hash', () => {
  it('is outdated when new ones cost more, or when it is of another kind', async () => {
    const hash = await hasher.hash('x')
    expect(hasher.isOutdated(hash)).toBe(false)
    expect(createPasswordHasher({ cost: { ...CHEAP, timeCost: 2 } }).isOutdated(hash)).toBe(true)
    expect(createPasswordHasher({ cost: { ...CHEAP, memoryCost: 32 } }).isOutdated(hash)).toBe(true)
    expect(hasher.isOutdated('$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy')).toBe(true)
  })

  it('is recognised by its whole shape', async () => {
    const hash = await hasher.hash('x')
    expect(hasher.recognises(hash)).toBe(true)
    expect(hasher.recognises(hash.replace('m=16,t=1,p=1', 'm=16,p=1,t=1'))).toBe(true)
    for (const text of [
      hash.slice(0, -30),
      `${hash}=`,
      hash.replace('19', '16'),
      'argon2id',
      hash.replace('t=1', 't=0'),
    ]) {
      expect(hasher.recognises(text)).toBe(false)
    }
  })

  it('that would take all of the memory to compare with is not accepted', async () => {
    const greedy = (await hasher.hash('x')).replace('m=16', 'm=4194304')
    expect(hasher.recognises(greedy)).toBe(false)
    expect(await hasher.verify('x', greedy)).toBe(false)
  })

  it('of an older kind is compared in its own way', async () => {
    const legacy = {
      recognises: (text: string) => text.startsWith('old:'),
      verify: async (password: string) => password === 'x',
      decoy: () => undefined,
    }
    const both = createPasswordHasher({ cost: CHEAP, legacy: [legacy] })
    expect(both.recognises('old:1')).toBe(true)
    expect(both.isOutdated('old:1')).toBe(true)
    expect(await both.verify('x', 'old:1')).toBe(true)
    expect(await both.verify('y', 'old:1')).toBe(false)
  })
})

describe('bcrypt hashes of an old installation', () => {
  const PREFIXES = ['$2a$', '$2b$', '$2y$']
  const MADE_ELSEWHERE = '$2a$04$12nDXsyRefWUJRDQgOMkSucazTvRn4UULIJqCVNHJ/prk/XZPAcjS'

  it.each(PREFIXES)('are compared whatever they begin with: %s', async (prefix) => {
    const hash = MADE_ELSEWHERE.replace('$2a$', prefix)
    expect(hasher.recognises(hash)).toBe(true)
    expect(hasher.isOutdated(hash)).toBe(true)
    expect(await hasher.verify('a long passphrase', hash)).toBe(true)
    expect(await hasher.verify('another passphrase', hash)).toBe(false)
  })

  it('that would take days to compare with are not accepted', async () => {
    const endless = MADE_ELSEWHERE.replace('$04$', '$31$')
    expect(hasher.recognises(endless)).toBe(false)
    expect(await hasher.verify('a long passphrase', endless)).toBe(false)
  })

  it('make every wrong password cost the same, for accounts with old and with new hashes', async () => {
    const compared: string[] = []
    const old = {
      recognises: (text: string) => text.startsWith('old:'),
      verify: async (_: string, hash: string) => {
        compared.push(hash)
        return false
      },
      decoy: (hashes: readonly string[]) => (hashes.some((hash) => hash.startsWith('old:')) ? 'old:decoy' : undefined),
    }
    const both = createPasswordHasher({ cost: CHEAP, legacy: [old] })
    const [fresh, users] = [await both.hash('x'), () => [fresh, 'old:1']]
    for (const hash of [fresh, undefined, 'old:1', 'no hash at all']) {
      compared.length = 0
      expect(await both.verify('wrong', hash, users)).toBe(false)
      expect(compared, `${hash}`).toEqual([hash === 'old:1' ? 'old:1' : 'old:decoy'])
    }
    compared.length = 0
    await both.verify('wrong', undefined, () => [fresh])
    await both.verify('x', fresh, users)
    expect(compared).toEqual([])
  })
})

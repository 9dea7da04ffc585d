import { describe, expect, it } from 'vitest'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { createPasswordHasher, type PasswordHasher } from '../../../../../src/platform/security/password-hasher.ts'
import { errorLike } from '../../../../helpers/unit/error-like.ts'
import { make } from '../../../../helpers/make.ts'
import { CHEAP, CLIENT, testContext } from '../../../../helpers/test-context.ts'

const MINUTE = 60_000
const WRONG = errorLike('WRONG_CREDENTIALS')

/** The real hasher, and what it was asked to verify. */
function watchedHasher(cost = CHEAP) {
  const real = createPasswordHasher({ cost })
  const verified: (string | undefined)[] = []
  const hasher: PasswordHasher = {
    ...real,
    verify: async (password, hash) => {
      verified.push(hash)
      return await real.verify(password, hash)
    },
  }
  return { hasher, verified }
}

describe('signing in', () => {
  it('accepts only the right password of this account', async () => {
    await using context = await testContext()
    const { auth } = context.services
    const { password } = make.admin()
    for (const credentials of [
      { username: 'admin', password: 'wrong' },
      { username: 'admin', password: '' },
      { username: '', password },
      { username: 'admin ', password },
      { username: 'nobody', password },
    ]) {
      await expect(auth.login(credentials, CLIENT)).rejects.toEqual(WRONG)
    }
    await expect(auth.login({ username: 'admin', password }, CLIENT)).resolves.toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it('CVE-2026-23849, GHSA-7789-65hx-f26w: also works out a hash for a user who does not exist', async () => {
    const { hasher, verified } = watchedHasher()
    await using context = await testContext({ hasher })
    const { auth } = context.services
    await expect(auth.login({ username: 'nobody', password: 'x' }, CLIENT)).rejects.toEqual(WRONG)
    await expect(auth.login({ username: 'admin', password: 'x' }, CLIENT)).rejects.toEqual(WRONG)
    expect(verified).toEqual([undefined, context.store.snapshot().users[0]?.passwordHash])
  })

  it('slows guessing down and still lets the owner in after the wait', async () => {
    await using context = await testContext()
    const { auth } = context.services
    const guess = async () => await auth.login({ username: 'admin', password: 'guess' }, CLIENT)
    for (let count = 0; count < 5; count += 1) await expect(guess()).rejects.toEqual(WRONG)
    await expect(context.login('admin')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 1 } })
    context.clock.move(1000)
    await expect(context.login('admin')).resolves.toBeDefined()
  })

  it('replaces a hash that was cheaper than new ones, without signing other devices out', async () => {
    const { hasher } = watchedHasher({ ...CHEAP, timeCost: 2 })
    await using context = await testContext({ hasher: createPasswordHasher({ cost: CHEAP }) })
    const token = await context.login('admin')
    await using upgraded = await testContext({ hasher })
    await upgraded.store.update((draft) => {
      for (const user of draft.users) user.passwordHash = context.store.snapshot().users[0]?.passwordHash ?? ''
    })
    const before = await upgraded.login('admin')
    const { passwordHash } = upgraded.store.snapshot().users[0] ?? {}
    expect(passwordHash).toContain('t=2')
    await upgraded.login('admin')
    expect(upgraded.store.snapshot().users[0]?.passwordHash).toBe(passwordHash)
    await expect(upgraded.services.auth.authenticate(before, CLIENT)).resolves.toMatchObject({ mustRenew: false })
    expect(token).not.toBe(before)
  })

  it('takes the bcrypt hash of an old installation, and replaces it by a new one', async () => {
    await using context = await testContext()
    await context.store.update((draft) => {
      for (const user of draft.users) {
        user.passwordHash = '$2b$04$12nDXsyRefWUJRDQgOMkSucazTvRn4UULIJqCVNHJ/prk/XZPAcjS'
      }
    })
    const login = async (password: string) => await context.services.auth.login({ username: 'admin', password }, CLIENT)
    await expect(login('another passphrase')).rejects.toEqual(WRONG)
    const before = await login('a long passphrase')
    expect(context.store.snapshot().users[0]?.passwordHash).toMatch(/^\$argon2id\$/)
    await expect(login('a long passphrase')).resolves.toBeDefined()
    await expect(context.services.auth.authenticate(before, CLIENT)).resolves.toMatchObject({ mustRenew: false })
  })

  it('shows the page only the permissions that a read-only server leaves', async () => {
    await using context = await testContext({ options: { readOnly: true } })
    const token = await context.login('admin')
    const { user } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      user: { perm: object }
    }
    expect(user.perm).toEqual({
      admin: true,
      share: true,
      download: true,
      create: false,
      rename: false,
      modify: false,
      delete: false,
      execute: false,
    })
  })
})

describe('a server without sign-in', () => {
  it('signs everybody in as the first user, whatever the password', async () => {
    await using context = await testContext({ options: { noAuth: true } })
    const token = await context.services.auth.login({ username: '', password: '' }, CLIENT)
    const { actor } = await context.services.auth.authenticate(token, CLIENT)
    expect(actor.username).toBe('admin')
  })

  it('is the only one that signs in without a password', async () => {
    await using context = await testContext()
    await expect(context.services.auth.passwordless(CLIENT)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('a sign-in code', () => {
  const ADMIN = 1 as UserId

  it('signs in once', async () => {
    await using context = await testContext()
    const { auth } = context.services
    const code = await auth.issueCode(ADMIN)
    const token = await auth.redeemCode(code, CLIENT)
    await expect(auth.authenticate(token, CLIENT)).resolves.toMatchObject({ actor: { id: 1 } })
    await expect(auth.redeemCode(code, CLIENT)).rejects.toEqual(WRONG)
  })

  it('is valid for fifteen minutes', async () => {
    await using context = await testContext()
    const { auth } = context.services
    const [early, late] = [await auth.issueCode(ADMIN), await auth.issueCode(ADMIN)]
    context.clock.move(15 * MINUTE)
    await expect(auth.redeemCode(late, CLIENT)).rejects.toEqual(WRONG)
    context.clock.move(-1)
    await expect(auth.redeemCode(early, CLIENT)).resolves.toBeDefined()
  })

  it('becomes invalid when an administrator signs in, but not when another user does', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const { auth } = context.services
    const [used, unused] = [await auth.issueCode(ADMIN), await auth.issueCode(ADMIN)]
    await context.login('bob')
    await expect(auth.redeemCode(used, CLIENT)).resolves.toBeDefined()
    const late = await auth.issueCode(ADMIN)
    await context.login('admin')
    for (const invalid of [unused, late]) await expect(auth.redeemCode(invalid, CLIENT)).rejects.toEqual(WRONG)
  })

  it('cannot be guessed, because attempts are limited', async () => {
    await using context = await testContext()
    const { auth } = context.services
    for (let count = 0; count < 30; count += 1) await expect(auth.redeemCode('guess', CLIENT)).rejects.toEqual(WRONG)
    const code = await auth.issueCode(ADMIN)
    await expect(auth.redeemCode(code, CLIENT)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})

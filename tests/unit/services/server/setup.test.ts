import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { createPasswordHasher } from '../../../../src/platform/security/password-hasher.ts'
import { firstAdministrator, freshSettings, initialDocument } from '../../../../src/services/server/setup.ts'
import { memoryStores } from '../../../../src/store/open-stores.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'
import { CHEAP } from '../../../helpers/test-context.ts'

const hasher = createPasswordHasher({ cost: CHEAP })
const deps = { hasher, clock: movableClock() }
const INVALID = errorLike('INVALID_INPUT')

describe('the first administrator', () => {
  it('may do everything in the whole served folder', async () => {
    const { user } = await firstAdministrator({ password: 'a long passphrase' }, deps)
    expect(user).toMatchObject({
      id: 1,
      username: 'admin',
      scope: '.',
      viewMode: 'mosaic',
      sorting: { by: 'name', asc: false },
      redirectAfterCopyMove: true,
      perm: ALL_PERMISSIONS,
      commands: [],
    })
    expect(await hasher.verify('a long passphrase', user.passwordHash)).toBe(true)
  })

  it('gets a password of 16 characters that is safe in an address, each time another', async () => {
    const [one, two] = [await firstAdministrator({}, deps), await firstAdministrator({}, deps)]
    expect(one.generatedPassword).toMatch(/^[\w-]{16}$/)
    expect(one.generatedPassword).not.toBe(two.generatedPassword)
    expect(await hasher.verify(one.generatedPassword ?? '', one.user.passwordHash)).toBe(true)
  })

  it('takes a hash as it is', async () => {
    const passwordHash = await hasher.hash('a long passphrase')
    const made = await firstAdministrator({ username: 'root', passwordHash }, deps)
    expect(made.user).toMatchObject({ username: 'root', passwordHash })
    expect(made.generatedPassword).toBeUndefined()
  })

  it('is refused with an invalid name, a short password or an invalid hash', async () => {
    for (const input of [
      { username: '' },
      { username: 'a\u0007' },
      { username: 'a\u0085' },
      { username: '\u202enimda' },
      { password: 'short' },
      { passwordHash: 'text' },
    ]) {
      await expect(firstAdministrator(input, deps)).rejects.toEqual(INVALID)
    }
  })
})

describe('a new store', () => {
  it('is valid, holds the administrator and a key of 64 random bytes', async () => {
    const { user } = await firstAdministrator({}, deps)
    const settings = { ...freshSettings(), signup: true }
    const document = initialDocument({ admin: user, settings, server: { port: 9000 } })
    await using stores = memoryStores(document)
    expect(stores.store.snapshot()).toMatchObject({ users: [user], nextUserId: 2, server: { port: 9000 } })
    expect(stores.store.snapshot().settings.signup).toBe(true)
    expect(Buffer.from(document.secrets.tokenKey, 'base64url')).toHaveLength(64)
    expect(initialDocument({ admin: user }).secrets.tokenKey).not.toBe(document.secrets.tokenKey)
  })
})

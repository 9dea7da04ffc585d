import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { NO_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { share } from '../../../helpers/unit/share-record.ts'
import { CLIENT, testContext } from '../../../helpers/test-context.ts'

const ADMIN = 1 as UserId
const BOB = 2 as UserId
const SECRET = 'a long passphrase'
const FORBIDDEN = errorLike('FORBIDDEN')
const NOT_FOUND = errorLike('NOT_FOUND')
const CONFLICT = errorLike('CONFLICT')

const both = { users: [make.admin(), make.user()] }
const asAdmin = { currentPassword: make.admin().password }
const invalid = (message: string) => errorLike('INVALID_INPUT', message)

describe('creating a user', () => {
  it('takes what is not given from the defaults for new users', async () => {
    await using context = await testContext({ settings: { defaults: { locale: 'fr', perm: { create: false } } } })
    const user = await context.services.users.create(OPERATOR, {
      username: 'eve',
      password: SECRET,
      perm: { share: false },
    })
    expect(user).toMatchObject({ id: 2, username: 'eve', password: '', locale: 'fr', scope: '/' })
    expect(user.perm).toMatchObject({ create: false, share: false, download: true })
    expect(user.sorting).toEqual({ by: 'name', asc: false })
    await expect(context.services.auth.login({ username: 'eve', password: SECRET }, CLIENT)).resolves.toBeDefined()
  })

  it('shows no hash of a password anywhere', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const created = await users.create(OPERATOR, { username: 'eve', password: SECRET })
    const shown = [created, users.find('eve'), await users.get(OPERATOR, BOB), ...(await users.list(OPERATOR))]
    expect(JSON.stringify(shown)).not.toContain('argon2')
  })

  it('never reuses the id of a deleted user', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    await users.remove(OPERATOR, BOB)
    expect((await users.create(OPERATOR, { username: 'bob', password: SECRET })).id).toBe(3)
  })

  it('keeps every user when many are made at once', async () => {
    await using context = await testContext({ store: 'json' })
    const names = Array.from({ length: 20 }, (_, index) => `user${index}`)
    const made = await Promise.all(
      names.map(async (username) => await context.services.users.create(OPERATOR, { username, password: SECRET })),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(20)
    expect(await context.services.users.list(OPERATOR)).toHaveLength(21)
  })

  it('refuses invalid names and passwords', async () => {
    await using context = await testContext(both)
    const create = async (fields: object) => await context.services.users.create(OPERATOR, fields)
    await expect(create({ username: 'bob', password: SECRET })).rejects.toEqual(CONFLICT)
    await expect(create({ username: '', password: SECRET })).rejects.toEqual(invalid('user name is empty'))
    await expect(create({ username: 'a\nb', password: SECRET })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(create({ username: 'id:7', password: SECRET })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(create({ username: 'eve' })).rejects.toEqual(invalid('password is empty'))
    const short = invalid('password is too short, minimum length is 12')
    await expect(create({ username: 'eve', password: 'abcdefghij1' })).rejects.toEqual(short)
    await expect(create({ username: 'eve', password: 'x'.repeat(1025) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    // Twelve bytes in six characters.
    await expect(create({ username: 'eve', password: 'éééééé' })).resolves.toBeDefined()
    expect(context.store.snapshot().users).toHaveLength(3)
  })

  it('refuses what could not be applied later', async () => {
    await using context = await testContext()
    const create = async (fields: object) =>
      await context.services.users.create(OPERATOR, { username: 'eve', password: SECRET, ...fields })
    const noDownload = invalid('permission to share requires permission to download')
    await expect(create({ perm: { download: false } })).rejects.toEqual(noDownload)
    const rule = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
    await expect(create({ rules: [rule] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(create({ rules: [{ ...rule, regexp: null }] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(create({ viewMode: 'nonsense' })).rejects.toMatchObject({ details: { field: 'viewMode' } })
    expect(context.store.snapshot().users).toHaveLength(1)
  })

  it('accepts a valid hash in place of a password', async () => {
    await using context = await testContext(both)
    const passwordHash = context.store.snapshot().users[1]?.passwordHash ?? ''
    await context.services.users.create(OPERATOR, { username: 'eve' }, { passwordHash })
    await expect(
      context.services.auth.login({ username: 'eve', password: make.user().password }, CLIENT),
    ).resolves.toBeDefined()
    const other = context.services.users.create(OPERATOR, { username: 'mia' }, { passwordHash: 'plain' })
    await expect(other).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('makes the folder of the scope, which cannot leave the served one', async () => {
    await using context = await testContext()
    const user = await context.services.users.create(OPERATOR, {
      username: 'eve',
      password: SECRET,
      scope: ' ../../escape/./deep ',
    })
    expect(user.scope).toBe('/escape/deep')
    expect((await stat(join(context.root, 'escape/deep'))).isDirectory()).toBe(true)
  })

  it('makes a home folder where that is switched on', async () => {
    await using context = await testContext({ settings: { createUserDir: true } })
    const { users } = context.services
    const scopeOf = async (username: string, fields: object = {}) =>
      (await users.create(OPERATOR, { username, password: SECRET, ...fields })).scope
    expect(await scopeOf('eve')).toBe('/users/eve')
    expect(await scopeOf('..etc')).toBe('/users/etc')
    expect(await scopeOf('root', { scope: '.' })).toBe('/')
    await expect(scopeOf('??')).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'username' } })
    expect((await stat(join(context.root, 'users/eve'))).isDirectory()).toBe(true)
  })

  it('makes no folder for a name that is taken', async () => {
    await using context = await testContext(both)
    const taken = context.services.users.create(OPERATOR, { username: 'bob', password: SECRET, scope: '/new' })
    await expect(taken).rejects.toEqual(CONFLICT)
    await expect(stat(join(context.root, 'new'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is for administrators who know their password, and for the operator', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const fields = { username: 'eve', password: SECRET }
    await expect(users.create(await context.actor('bob'), fields)).rejects.toEqual(FORBIDDEN)
    const admin = await context.actor('admin')
    const incorrect = invalid('the current password is incorrect')
    await expect(users.create(admin, fields)).rejects.toEqual(incorrect)
    await expect(users.create(admin, fields, { currentPassword: SECRET })).rejects.toEqual(incorrect)
    await expect(users.create(admin, fields, asAdmin)).resolves.toMatchObject({ username: 'eve' })
  })
})

describe('changing a user', () => {
  it('changes all given fields or none', async () => {
    await using context = await testContext(both)
    const before = context.store.snapshot()
    const change = context.services.users.update(OPERATOR, BOB, { locale: 'fr', username: 'admin' })
    await expect(change).rejects.toEqual(CONFLICT)
    expect(context.store.snapshot()).toEqual(before)
  })

  it('keeps what is not given, also inside the permissions', async () => {
    await using context = await testContext(both)
    const user = await context.services.users.update(OPERATOR, BOB, { perm: { create: false } })
    expect(user.perm).toEqual({ ...make.user().perm, create: false })
    expect(user).toMatchObject({ username: 'bob', scope: '/', locale: 'en' })
  })

  it('lets users change their preferences, but nothing that gives them more rights', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const bob = await context.actor('bob')
    await users.update(bob, BOB, { locale: 'fr', viewMode: 'list', hideDotfiles: true })
    const knowing = { currentPassword: make.user().password }
    for (const fields of [
      { username: 'eve' },
      { scope: '/other' },
      { perm: { admin: true } },
      { commands: ['sh'] },
      { lockPassword: false },
      { rules: [] },
    ]) {
      await expect(users.update(bob, BOB, fields, knowing)).rejects.toEqual(FORBIDDEN)
    }
    await expect(users.update(bob, ADMIN, { locale: 'fr' })).rejects.toEqual(FORBIDDEN)
    await expect(users.update(bob, 99 as UserId, { locale: 'fr' })).rejects.toEqual(FORBIDDEN)
    await expect(users.update(OPERATOR, 99 as UserId, { locale: 'fr' })).rejects.toEqual(NOT_FOUND)
  })

  it('asks administrators for their password for everything but preferences', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const admin = await context.actor('admin')
    await users.update(admin, BOB, { locale: 'fr' })
    for (const fields of [
      { username: 'eve' },
      { password: SECRET },
      { scope: '/other' },
      { perm: { create: false } },
      { commands: ['ls'] },
      { lockPassword: true },
      { rules: [] },
    ]) {
      await expect(users.update(admin, BOB, fields)).rejects.toEqual(invalid('the current password is incorrect'))
      await expect(users.update(admin, BOB, fields, asAdmin)).resolves.toBeDefined()
    }
  })

  it('counts wrong current passwords like wrong sign-ins', async () => {
    await using context = await testContext(both)
    const bob = await context.actor('bob')
    // From another network, without an earlier sign-in.
    const stolen = { ...bob, session: { ...bob.session, address: '198.51.100.7' } }
    const guess = async () =>
      await context.services.users.setPassword(stolen, BOB, SECRET, { currentPassword: 'a guess' })
    for (let count = 0; count < 5; count += 1) await expect(guess()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('lets an administrator change a locked password, but not its user', async () => {
    await using context = await testContext({ users: [make.admin(), make.user({ lockPassword: true })] })
    const { users } = context.services
    const bob = await context.actor('bob')
    const knowing = { currentPassword: make.user().password }
    await expect(users.setPassword(bob, BOB, SECRET, knowing)).rejects.toEqual(FORBIDDEN)
    await users.setPassword(await context.actor('admin'), BOB, SECRET, asAdmin)
    await expect(context.services.auth.login({ username: 'bob', password: SECRET }, CLIENT)).resolves.toBeDefined()
  })

  it('leaves the scope of the first user as it was until it is set', async () => {
    await using context = await testContext()
    const { users } = context.services
    expect((await users.update(OPERATOR, ADMIN, { locale: 'fr' })).scope).toBe('.')
    expect((await users.update(OPERATOR, ADMIN, { scope: 'a//../b/' })).scope).toBe('/b')
  })

  it('hides the scope from users', async () => {
    await using context = await testContext({ users: [make.admin(), make.user({ scope: '/homes/bob' })] })
    const { users } = context.services
    expect((await users.get(await context.actor('bob'), BOB)).scope).toBe('')
    expect((await users.get(await context.actor('admin'), BOB)).scope).toBe('/homes/bob')
    await expect(users.get(await context.actor('bob'), ADMIN)).rejects.toEqual(FORBIDDEN)
    await expect(users.list(await context.actor('bob'))).rejects.toEqual(FORBIDDEN)
  })
})

describe('the last administrator', () => {
  it('can be neither demoted nor removed by anyone', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const admin = await context.actor('admin')
    await expect(users.update(admin, ADMIN, { perm: { admin: false } }, asAdmin)).rejects.toEqual(FORBIDDEN)
    await expect(users.remove(admin, ADMIN, asAdmin)).rejects.toEqual(FORBIDDEN)
    await expect(users.update(OPERATOR, ADMIN, { perm: NO_PERMISSIONS })).rejects.toEqual(FORBIDDEN)
    await expect(users.remove(OPERATOR, ADMIN)).rejects.toEqual(FORBIDDEN)
  })

  it('can be removed once there is another one', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    await users.update(OPERATOR, BOB, { perm: { admin: true } })
    await users.remove(OPERATOR, ADMIN)
    await expect(users.remove(OPERATOR, BOB)).rejects.toEqual(FORBIDDEN)
  })

  it('can be appointed by the operator where none is left', async () => {
    await using context = await testContext({ users: [make.user()] })
    const user = await context.services.users.update(OPERATOR, 1 as UserId, { perm: { admin: true } })
    expect(user.perm.admin).toBe(true)
  })
})

describe('removing a user', () => {
  it('takes the shares along and leaves those of others', async () => {
    await using context = await testContext(both)
    const shares = [ADMIN, BOB].map((userID) => share(`share-${userID}`, { userID }))
    await context.store.update((draft) => void (draft.shares = shares))
    await context.services.users.remove(OPERATOR, BOB)
    expect(context.store.snapshot().shares.map(({ userID }) => userID)).toEqual([ADMIN])
    await expect(context.services.users.remove(OPERATOR, BOB)).rejects.toEqual(NOT_FOUND)
  })

  it('is for administrators, and for users of themselves', async () => {
    await using context = await testContext({ users: [make.admin(), make.user(), make.user({ username: 'eve' })] })
    const { users } = context.services
    const bob = await context.actor('bob')
    const knowing = { currentPassword: make.user().password }
    await expect(users.remove(bob, 3 as UserId, knowing)).rejects.toEqual(FORBIDDEN)
    await expect(users.remove(bob, BOB)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await users.remove(bob, BOB, knowing)
    await users.remove(await context.actor('admin'), 3 as UserId, asAdmin)
    expect(await users.list(OPERATOR)).toHaveLength(1)
  })
})

describe('finding a user', () => {
  it('goes by name, by id, and by a bare number that is nobody’s name', async () => {
    await using context = await testContext({ users: [make.admin(), make.user({ username: '1' })] })
    const { users } = context.services
    expect(users.find('admin').id).toBe(1)
    expect(users.find('1').id).toBe(2)
    expect(users.find('id:1').id).toBe(1)
    expect(users.find('2').id).toBe(2)
    for (const unknown of ['nobody', 'id:9', '9', '']) expect(() => users.find(unknown)).toThrow(NOT_FOUND)
  })
})

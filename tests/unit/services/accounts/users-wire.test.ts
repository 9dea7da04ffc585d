import { describe, expect, it } from 'vitest'
import type { UserId } from '../../../../src/domain/ids.ts'
import { NO_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { CLIENT, testContext } from '../../../helpers/test-context.ts'

const BOB = 2 as UserId
const SECRET = 'a long passphrase'
const both = { users: [make.admin(), make.user()] }

const write = (data: unknown, which: unknown = [], password: unknown = make.admin().password) => ({
  what: 'user',
  which,
  current_password: password,
  data,
})
const invalid = (message: string) => errorLike('INVALID_INPUT', message)
const INVALID = errorLike('INVALID_INPUT')
const FORBIDDEN = errorLike('FORBIDDEN')

describe('a new user from the wire', () => {
  it('is allowed nothing that is not given', async () => {
    await using context = await testContext()
    const admin = await context.actor('admin')
    const data = { username: 'eve', password: SECRET }
    expect(await context.services.users.createFromWire(admin, write(data))).toEqual({
      id: 2,
      username: 'eve',
      password: '',
      scope: '/',
      locale: '',
      lockPassword: false,
      viewMode: 'list',
      singleClick: false,
      redirectAfterCopyMove: false,
      perm: NO_PERMISSIONS,
      commands: [],
      sorting: { by: 'name', asc: false },
      rules: [],
      hideDotfiles: false,
      dateFormat: false,
      aceEditorTheme: '',
    })
  })

  it('gets a home folder if the request asks for one and gives no scope', async () => {
    await using context = await testContext()
    const admin = await context.actor('admin')
    const scopeOf = async (data: object) =>
      (await context.services.users.createFromWire(admin, write({ password: SECRET, ...data }))).scope
    expect(await scopeOf({ username: 'eve', createUserDir: true })).toBe('/users/eve')
    expect(await scopeOf({ username: 'max', createUserDir: true, scope: '/team' })).toBe('/team')
    expect(await scopeOf({ username: 'ivy', createUserDir: 'yes' })).toBe('/')
    expect(await scopeOf({ username: 'E..VE', createUserDir: true })).toBe('/users/EVE-2')
  })

  it('cannot take the id of another', async () => {
    await using context = await testContext(both)
    const admin = await context.actor('admin')
    const created = await context.services.users.createFromWire(
      admin,
      write({ id: 2, username: 'eve', password: SECRET }),
    )
    expect(created.id).toBe(3)
    expect(context.services.users.find('bob').id).toBe(2)
  })

  it('is refused in the order and in the words that clients know', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const create = async (body: unknown) => await users.createFromWire(await context.actor('admin'), body)
    const data = { username: 'eve', password: SECRET }
    await expect(create({ data })).rejects.toEqual(invalid('invalid data type'))
    await expect(create({ ...write(data), what: 'group' })).rejects.toEqual(invalid('invalid data type'))
    await expect(create({ ...write(data), what: 5 })).rejects.toEqual(INVALID)
    const incorrect = invalid('the current password is incorrect')
    await expect(create({ what: 'user', data })).rejects.toEqual(incorrect)
    await expect(create(write(null, [], 'wrong'))).rejects.toEqual(incorrect)
    await expect(create(write(data, ['all']))).rejects.toEqual(INVALID)
    for (const nothing of [undefined, null, 'text', []]) await expect(create(write(nothing))).rejects.toEqual(INVALID)
    await expect(create(write({ ...data, password: '' }))).rejects.toEqual(invalid('password is empty'))
    for (const wrong of [{ password: 5 }, { scope: 5 }, { perm: 'all' }, { commands: [1] }, { rules: [1] }]) {
      await expect(create(write({ ...data, ...wrong }))).rejects.toEqual(INVALID)
    }
    expect(context.store.snapshot().users).toHaveLength(2)
  })
})

describe('a change from the wire', () => {
  it('writes the named fields only', async () => {
    await using context = await testContext(both)
    const bob = await context.actor('bob')
    const data = { id: 2, locale: 'it', dateFormat: true, viewMode: 'list' }
    const user = await context.services.users.updateFromWire(bob, BOB, write(data, ['locale', 'DateFormat']))
    expect(user).toMatchObject({ locale: 'it', dateFormat: true, viewMode: 'mosaic' })
  })

  it.each([['PASSWORD'], ['passwordHash'], ['id'], ['nosuch'], ['__proto__'], ['LOCALE'], ['All']])(
    'refuses the field name %s',
    async (name) => {
      await using context = await testContext(both)
      const admin = await context.actor('admin')
      const change = context.services.users.updateFromWire(admin, BOB, write({ id: 2, password: SECRET }, [name]))
      await expect(change).rejects.toEqual(INVALID)
    },
  )

  it('asks for the password also when the name of the field is capitalised', async () => {
    await using context = await testContext(both)
    const bob = await context.actor('bob')
    const body = write({ id: 2, password: SECRET }, ['Password'], '')
    await expect(context.services.users.updateFromWire(bob, BOB, body)).rejects.toEqual(
      invalid('the current password is incorrect'),
    )
  })

  it('of the whole record is for administrators who know their password', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const data = { ...users.find('bob'), locale: 'pt' }
    const [admin, bob] = [await context.actor('admin'), await context.actor('bob')]
    for (const which of [[], ['all'], undefined]) {
      const ofBob = write(data, which, make.user().password)
      await expect(users.updateFromWire(bob, BOB, ofBob)).rejects.toEqual(FORBIDDEN)
      const unknowing = write(data, which, undefined)
      await expect(users.updateFromWire(admin, BOB, { ...unknowing, current_password: '' })).rejects.toEqual(INVALID)
    }
    expect(await users.updateFromWire(admin, BOB, write(data, ['all']))).toMatchObject({ locale: 'pt' })
    // An empty password keeps the stored one.
    await expect(context.login('bob')).resolves.toBeDefined()
  })

  it('is refused when the record is of another user or none', async () => {
    await using context = await testContext(both)
    const bob = await context.actor('bob')
    for (const id of [1, undefined, '2']) {
      const body = write({ id, locale: 'fr' }, ['locale'])
      await expect(context.services.users.updateFromWire(bob, BOB, body)).rejects.toEqual(INVALID)
    }
  })

  it('counts an empty new password as too short', async () => {
    await using context = await testContext(both)
    const bob = await context.actor('bob')
    const body = write({ id: 2, password: '' }, ['password'], make.user().password)
    const refused = context.services.users.updateFromWire(bob, BOB, body)
    await expect(refused).rejects.toEqual(invalid('password is too short, minimum length is 12'))
  })

  it('keeps the devices signed in when the password that is set is the present one', async () => {
    await using context = await testContext(both)
    const token = await context.login('bob')
    const admin = await context.actor('admin')
    const body = write({ id: 2, password: make.user().password }, ['password'])
    await context.services.users.updateFromWire(admin, BOB, body)
    await expect(context.services.auth.authenticate(token, CLIENT)).resolves.toBeDefined()
  })
})

describe('a removal from the wire', () => {
  it('needs the password of the caller', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const admin = await context.actor('admin')
    for (const body of [{}, { current_password: 'wrong' }, { current_password: make.user().password }]) {
      await expect(users.removeFromWire(admin, BOB, body)).rejects.toEqual(invalid('the current password is incorrect'))
    }
    await users.removeFromWire(admin, BOB, { current_password: make.admin().password })
    expect(context.store.snapshot().users).toHaveLength(1)
  })
})

describe('favourites and recent folders', () => {
  it('can be saved by their user without a password, are cleaned and unique, and absent if there are none', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const bob = await context.actor('bob')
    expect(await users.get(bob, BOB)).not.toHaveProperty('favourites')
    const data = { id: BOB, favourites: ['/docs/', 'a/../b', '/docs'], recent: ['/x'] }
    await users.updateFromWire(bob, BOB, { what: 'user', which: ['favourites', 'recent'], data })
    expect(await users.get(bob, BOB)).toMatchObject({ favourites: ['/docs', '/b'], recent: ['/x'] })
  })

  it('are hidden from clients until they are set, like the switch for folder sizes', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const bob = await context.actor('bob')
    expect(await users.get(bob, BOB)).not.toHaveProperty('folderSizes')
    const write = { what: 'user', which: ['folderSizes'], data: { id: BOB, folderSizes: true } }
    expect(await users.updateFromWire(bob, BOB, write)).toMatchObject({ folderSizes: true })
  })

  it('stay within bounds: the fifty last folders, a hundred favourites', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const bob = await context.actor('bob')
    const paths = Array.from({ length: 101 }, (_, index) => `/${index}`)
    const put = async (name: string) =>
      await users.updateFromWire(bob, BOB, { what: 'user', which: [name], data: { id: BOB, [name]: paths } })
    expect((await put('recent')).recent).toEqual(paths.slice(0, 50))
    await expect(put('favourites')).rejects.toEqual(INVALID)
    const wrong = { what: 'user', which: ['recent'], data: { id: BOB, recent: '/x' } }
    await expect(users.updateFromWire(bob, BOB, wrong)).rejects.toEqual(invalid('json: recent must be a list'))
  })

  it('survive a whole record of a client that does not know them', async () => {
    await using context = await testContext(both)
    const { users } = context.services
    const admin = await context.actor('admin')
    await users.update(admin, BOB, { favourites: ['/docs'] })
    const { favourites: _unknown, ...record } = await users.get(admin, BOB)
    await users.updateFromWire(admin, BOB, write({ ...record, locale: 'de' }))
    expect(await users.get(admin, BOB)).toMatchObject({ favourites: ['/docs'], locale: 'de' })
    await users.updateFromWire(admin, BOB, write({ ...record, favourites: [] }))
    expect(await users.get(admin, BOB)).not.toHaveProperty('favourites')
  })
})

it('callers who may not write a whole record are refused before the password is checked, unless they say "all"', async () => {
  await using context = await testContext(both)
  const bob = await context.actor('bob')
  const put = async (which: unknown) =>
    await context.services.users.updateFromWire(bob, BOB, { what: 'user', which, data: { id: BOB } })
  for (const which of [[], undefined]) await expect(put(which)).rejects.toEqual(FORBIDDEN)
  await expect(put(['all'])).rejects.toEqual(invalid('the current password is incorrect'))
})

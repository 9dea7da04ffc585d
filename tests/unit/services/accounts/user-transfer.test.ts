import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { openLocalStorage } from '../../../../src/storage/local/local-storage.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'
import { testContext, type TestContext, type TestContextInput } from '../../../helpers/test-context.ts'
import { withMethod } from '../../../helpers/api/with-method.ts'

const HOMES = { settings: { createUserDir: true } } satisfies TestContextInput
const ADD = { overwrite: false, replace: false }
const OVERWRITE = { overwrite: true, replace: false }
const REPLACE = { overwrite: false, replace: true }
const SECRET = 'a long passphrase'

const importInto = async ({ services }: TestContext, list: unknown, options = ADD) =>
  await services.userTransfer.import(OPERATOR, list, options)
const scopesOf = ({ store }: TestContext) =>
  Object.fromEntries(store.snapshot().users.map(({ username, scope }) => [username, scope]))

describe('an imported list of accounts', () => {
  it('gives no home to two accounts, and none that is or contains the folder of another', async () => {
    const users = [make.admin(), make.user({ scope: '/users/Bob' })]
    await using context = await testContext({ ...HOMES, users })
    const list = ['a b', 'a-b', 'A:B', 'BOB!', 'bob-', 'team', 'wide'].map((username) => ({ username }))
    const plan = await context.services.userTransfer.plan(
      OPERATOR,
      [...list, { username: 'x', scope: 'users/Team/x/' }],
      ADD,
    )
    const { added } = await importInto(context, [...list, { username: 'x', scope: 'users/Team/x/' }])
    expect(scopesOf(context)).toEqual({
      admin: '.',
      bob: '/users/Bob',
      'a b': '/users/a-b',
      'a-b': '/users/a-b-2',
      'A:B': '/users/A-B-3',
      'BOB!': '/users/BOB-',
      'bob-': '/users/bob--2',
      team: '/users/team-2',
      wide: '/users/wide',
      x: '/users/Team/x',
    })
    expect(plan.added).toEqual(added)
    for (const { scope } of added) expect((await stat(join(context.root, scope))).isDirectory()).toBe(true)
  })

  it('shows everything to accounts without a scope only as for accounts that are added one by one', async () => {
    const defaults = { scope: 'team' }
    await using context = await testContext({ settings: { defaults } })
    await importInto(context, [
      { username: 'absent' },
      { username: 'null', scope: null },
      { username: 'empty', scope: '' },
      { username: 'root', scope: '.' },
    ])
    const add = async (username: string, fields: object) =>
      await context.services.users.create(OPERATOR, { username, password: SECRET, ...fields })
    await add('added', {})
    await add('added empty', { scope: '' })
    const { absent, null: none, added, ...others } = scopesOf(context)
    expect([absent, none, added]).toEqual(['/team', '/team', '/team'])
    expect(others).toEqual({ admin: '.', empty: '/', 'added empty': '/', root: '/' })
    expect((await stat(join(context.root, 'team'))).isDirectory()).toBe(true)
  })

  it('keeps the scope of an account that it changes, unless it has another', async () => {
    const users = [make.admin(), make.user({ scope: '/bob' }), make.user({ username: 'eve', scope: '/eve' })]
    for (const options of [OVERWRITE, REPLACE]) {
      await using context = await testContext({ ...HOMES, users })
      await importInto(
        context,
        [
          { username: 'admin', scope: ' ' },
          { username: 'bob', locale: 'fr' },
          { username: 'eve', scope: '', locale: 'fr' },
        ],
        options,
      )
      expect(scopesOf(context)).toEqual({ admin: '.', bob: '/bob', eve: '/eve' })
      expect(context.services.users.find('eve').locale).toBe('fr')
      const list = ['admin', 'bob', 'eve'].map((username) => ({ username, scope: '.' }))
      await importInto(context, list, options)
      expect(scopesOf(context)).toEqual({ admin: '/', bob: '/', eve: '/' })
    }
  })

  it('is the exported one again, also where homes are switched on', async () => {
    const scopes = ['/', '/users/carl', '/a b', '']
    const users = [make.admin({ scope: '/' }), ...scopes.map((scope) => make.user({ username: `of ${scope}`, scope }))]
    await using from = await testContext({ ...HOMES, users })
    await using to = await testContext({ ...HOMES, users: [make.admin({ username: 'old' })] })
    const exported = from.services.userTransfer.export(OPERATOR)
    expect(exported.map(({ scope }) => scope)).toEqual(['/', '/', '/users/carl', '/a b', '/'])
    await importInto(to, exported, REPLACE)
    const named = (list: ReturnType<typeof from.services.userTransfer.export>) =>
      new Map(list.map(({ id: _other, ...user }) => [user.username, user]))
    expect(named(to.services.userTransfer.export(OPERATOR))).toEqual(named(exported))
  })

  it('keeps ids that were never used here, and gives new ones to all others', async () => {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const list = [
      { username: 'next' },
      { username: 'kept', id: 4 },
      { username: 'taken', id: 2 },
      { username: 'none', id: 0 },
    ]
    const { added } = await importInto(context, list)
    expect(added.map(({ id, username }) => [id, username])).toEqual([
      [3, 'next'],
      [4, 'kept'],
      [5, 'taken'],
      [6, 'none'],
    ])
    expect(context.store.snapshot().users.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(context.store.snapshot().nextUserId).toBe(7)
  })

  it('changes nothing if a name fits no folder, or a folder cannot be made', async () => {
    await using context = await testContext({ ...HOMES, files: { 'users/ben': 'a file' } })
    const before = context.store.snapshot()
    const nameless = importInto(context, [{ username: 'ann' }, { username: '??' }])
    await expect(nameless).rejects.toThrow('the account "??" is invalid: no folder can be named after the user "??"')
    await expect(stat(join(context.root, 'users/ann'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(importInto(context, [{ username: 'ann' }, { username: 'ben' }])).rejects.toMatchObject({})
    expect(context.store.snapshot()).toEqual(before)
  })
})

/** A context in which something happens after a folder has been made for an account, and before the account is stored. */
async function interrupted(
  settings: TestContextInput['settings'],
  meanwhile: (context: TestContext) => Promise<unknown>,
) {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const disk = await openLocalStorage(folder.path)
  const waiting = [meanwhile]
  const makeScope: typeof disk.makeScope = async (...args) => {
    await disk.makeScope(...args)
    await waiting.pop()?.(context)
  }
  const context = held.use(
    await testContext({ storage: withMethod(disk, 'makeScope', makeScope), ...(settings && { settings }) }),
  )
  const all = held.move()
  const isFolder = async (scope: string) => (await stat(folder.at(scope.slice(1)))).isDirectory()
  return { context, isFolder, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

const MAKING = [
  { name: 'imported', makeAnn: async (context: TestContext) => await importInto(context, [{ username: 'ann' }]) },
  {
    name: 'added',
    makeAnn: async ({ services }: TestContext) =>
      await services.users.create(OPERATOR, { username: 'ann', password: SECRET }),
  },
] satisfies { name: string; makeAnn: (context: TestContext) => Promise<unknown> }[]

describe.each(MAKING)('while an account is $name', ({ makeAnn }) => {
  it('another one may take its home, and then it gets the next', async () => {
    await using world = await interrupted({ createUserDir: true }, async ({ store }) => {
      await store.update((draft, now) => {
        const [admin] = now.users
        if (admin === undefined) return
        draft.users = [admin, { ...admin, id: 2 as UserId, username: 'Anna', scope: '/users/ANN' }]
        draft.nextUserId = 3 as UserId
      })
    })
    await makeAnn(world.context)
    expect(scopesOf(world.context)).toMatchObject({ Anna: '/users/ANN', ann: '/users/ann-2' })
    expect(world.context.services.users.find('ann').id).toBe(3)
    expect(await world.isFolder('/users/ann-2')).toBe(true)
  })

  it('another one may take its name, and then it is refused', async () => {
    await using world = await interrupted({ createUserDir: true }, async ({ services }) => {
      await services.users.create(OPERATOR, { username: 'ann', password: SECRET, scope: '/first' })
    })
    await expect(makeAnn(world.context)).rejects.toEqual(errorLike('CONFLICT'))
    expect(scopesOf(world.context)).toMatchObject({ ann: '/first' })
  })

  it('home folders may be switched on or moved, and then it has one there', async () => {
    for (const before of [{ createUserDir: true }, { defaults: { scope: '/team' } }]) {
      await using world = await interrupted(before, async ({ store }) => {
        await store.update(({ settings }) => {
          Object.assign(settings, { createUserDir: true, userHomeBasePath: '/homes' })
          settings.defaults.locale = 'fr'
        })
      })
      await makeAnn(world.context)
      expect(world.context.services.users.find('ann')).toMatchObject({ scope: '/homes/ann', locale: 'fr' })
      expect(await world.isFolder('/homes/ann')).toBe(true)
    }
  })
})

describe('names that differ only in case or Unicode form', () => {
  const both = () => [make.admin(), make.user({ username: 'Max' }), make.user({ username: 'MAX' })]

  it('are the same user in a list', async () => {
    await using context = await testContext({ users: [make.admin(), make.user({ username: 'Jürgen' })] })
    const other = { username: 'Ju\u0308rgen', locale: 'fr' }
    await expect(importInto(context, [other])).rejects.toEqual(
      errorLike('CONFLICT', 'there is a user named "Jürgen" already; --overwrite changes it'),
    )
    await importInto(context, [other], OVERWRITE)
    expect(context.store.snapshot().users.map(({ username, locale }) => [username, locale])).toEqual([
      ['admin', 'en'],
      ['Ju\u0308rgen', 'fr'],
    ])
    const twice = [{ username: 'Jürgen' }, { username: 'JÜRGEN' }]
    await expect(importInto(context, twice, OVERWRITE)).rejects.toEqual(
      errorLike('INVALID_INPUT', '"Jürgen" and "JÜRGEN" in the list are the same user'),
    )
    await expect(importInto(context, [{ username: 'eve' }, { username: 'Eve' }])).rejects.toEqual(
      errorLike('CONFLICT', 'there is a user named "eve" already'),
    )
  })

  it('of accounts that exist are exact in a list', async () => {
    await using context = await testContext({ users: both() })
    const list = [
      { username: 'MAX', locale: 'fr' },
      { username: 'Max', locale: 'de' },
    ]
    await importInto(context, list, OVERWRITE)
    const { users } = context.store.snapshot()
    expect(users.slice(1).map(({ username, locale }) => `${username} ${locale}`)).toEqual(['Max de', 'MAX fr'])
    await expect(importInto(context, [{ username: 'max' }], OVERWRITE)).rejects.toEqual(errorLike('CONFLICT'))
  })

  it('name one account on the command line, unless there are two', async () => {
    await using context = await testContext({ users: [...both(), make.user({ username: 'Zoë' })] })
    const { users } = context.services
    expect(users.find('ZOE\u0308').username).toBe('Zoë')
    expect([users.find('Max').username, users.find('MAX').username]).toEqual(['Max', 'MAX'])
    expect(() => users.find('max')).toThrow(
      'there is no user "max", but there are "Max" and "MAX"; type the name exactly',
    )
  })
})

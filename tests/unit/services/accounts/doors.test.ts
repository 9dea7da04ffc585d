import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { NO_ROOT } from '../../../../src/domain/accounts/place.ts'
import type { User } from '../../../../src/domain/accounts/user.ts'
import { NO_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { OidcProvider, type Provider } from '../../../../src/domain/accounts/provider.ts'
import type { ProviderId } from '../../../../src/domain/ids.ts'
import { type DeepPartial, defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import type { Settings } from '../../../../src/domain/settings/settings.ts'
import { planImport } from '../../../../src/import/filebrowser/plan-import.ts'
import { convertQuantum } from '../../../../src/import/quantum/convert-quantum.ts'
import { isQuantumConfig, quantumConfigOf } from '../../../../src/import/quantum/quantum-config.ts'
import { quantumFromBolt } from '../../../../src/import/quantum/read-quantum.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { createPasswordHasher } from '../../../../src/platform/security/password-hasher.ts'
import { firstAdministrator, freshSettings } from '../../../../src/services/server/setup.ts'
import type { StoreDocument } from '../../../../src/store/document.ts'
import { CHEAP_HASH } from '../../../helpers/cheap-account.ts'
import { runHere } from '../../../helpers/cli/run-here.ts'
import { make } from '../../../helpers/make.ts'
import { importInput } from '../../../helpers/samples/old-installation.ts'
import {
  quantumBolt,
  quantumConfig,
  quantumSample,
  quantumUser,
} from '../../../helpers/samples/quantum-installation.ts'
import { tempFolder, type TempFolder } from '../../../helpers/temp-folder.ts'
import { CLIENT, testContext, type TestContext } from '../../../helpers/test-context.ts'

const SECRET = 'a long passphrase'
const asAdmin = { currentPassword: make.admin().password }

let scratch: TempFolder
let program: string

beforeAll(async () => {
  scratch = await tempFolder({ 'accept.sh': '#!/bin/sh\necho hook.action=auth\n' })
  program = scratch.at('accept.sh')
  await chmod(program, 0o700)
})
afterAll(async () => await scratch[Symbol.asyncDispose]())

/** A way for an account to come into being: what makes one of this name, knowing nothing else of it. */
interface Door {
  readonly name: string
  /** Settings that open it. */
  readonly open?: () => DeepPartial<Settings>
  /** Nobody with rights asks for the account. */
  readonly isSelfMade?: boolean
  /** Takes nothing from the defaults but the quota, as API clients expect. */
  readonly isBare?: boolean
  /** White space around the name is not part of it. */
  readonly trimsNames?: boolean
  /** What is said of a name with control characters, if the door is shut before anyone asks for an account. */
  readonly refusesControls?: string
  readonly enter: (context: TestContext, username: string) => Promise<unknown>
}

async function command({ dataFolder, root }: TestContext, ...words: string[]): Promise<void> {
  const { code, stderr } = await runHere(['--data', dataFolder, ...words], { env: { FILEMGR_ROOT: root } })
  if (code !== 0) throw new Error(stderr)
}

async function importing(context: TestContext, name: string, content: string): Promise<void> {
  const file = join(context.dataFolder, name)
  await writeFile(file, content)
  await command(context, 'users', 'import', file)
}

const DOORS: readonly Door[] = [
  {
    name: 'the API',
    enter: async (context, username) =>
      await context.services.users.create(await context.actor('admin'), { username, password: SECRET }, asAdmin),
  },
  {
    name: 'a client of File Browser',
    isBare: true,
    enter: async (context, username) =>
      await context.services.users.createFromWire(await context.actor('admin'), {
        what: 'user',
        which: [],
        current_password: asAdmin.currentPassword,
        data: { username, password: SECRET, scope: '' },
      }),
  },
  {
    name: 'the command "users add"',
    enter: async (context, username) => await command(context, 'users', 'add', ...CHEAP_HASH, '--', username),
  },
  {
    name: 'a list in JSON',
    enter: async (context, username) => await importing(context, 'users.json', JSON.stringify([{ username }])),
  },
  {
    name: 'a list in YAML with an empty scope',
    enter: async (context, username) => await importing(context, 'users.yaml', stringify([{ username, scope: '' }])),
  },
  {
    name: 'a table with an empty scope',
    enter: async (context, username) => await importing(context, 'users.csv', `username,scope\n"${username}",\n`),
  },
  {
    name: 'sign-up',
    isSelfMade: true,
    open: () => ({ signup: true }),
    enter: async ({ services }, username) => await services.signUp.signUp({ username, password: SECRET }, CLIENT),
  },
  {
    name: 'a proxy',
    isSelfMade: true,
    trimsNames: true,
    open: () => ({ authMethod: 'proxy', auth: { header: 'X-User' } }),
    enter: async ({ services }, username) => {
      const peer = { address: '127.0.0.1', header: () => [Buffer.from(username).toString('latin1')] }
      await services.auth.login({ username: '', password: '' }, CLIENT, peer)
    },
  },
  {
    name: 'a sign-in program',
    isSelfMade: true,
    refusesControls: 'the user name or the password is wrong',
    open: () => ({ authMethod: 'hook', auth: { command: [program] } }),
    enter: async ({ services }, username) => await services.auth.login({ username, password: SECRET }, CLIENT),
  },
  {
    name: 'single sign-on',
    isSelfMade: true,
    enter: async ({ store, services }, username) => {
      const fields = { name: 'SSO', issuer: 'https://sso.example.org', clientId: 'filemgr', createUsers: true }
      const provider: Provider = { ...defaultsOf(OidcProvider), type: 'oidc', id: 'sso' as ProviderId, ...fields }
      await store.update((draft) => void (draft.providers = [provider]))
      await services.providerSignIn.userOf({ provider, subject: username, username, label: '', claims: {} })
    },
  },
]

/** A world with this door open, in which bob has the folder that the settings would give to Ann. */
async function worldOf(door: Door, settings: DeepPartial<Settings>) {
  const context = await testContext({
    users: [make.admin(), make.user({ scope: '/users/ann' })],
    settings,
    options: { trustedProxies: ['127.0.0.1'] },
    store: 'json',
    besideDaemon: true,
  })
  const admin = await context.actor('admin')
  const { authMethod, auth } = door.open?.() ?? {}
  await context.store.update(({ settings: stored }) => {
    Object.assign(stored, door.open?.(), { auth: { ...stored.auth, ...auth } })
    if (authMethod !== undefined) stored.authMethod = authMethod
  })
  // Commands write the file, whatever this process has read of it.
  const users = async () =>
    (JSON.parse(await readFile(join(context.dataFolder, 'store.json'), 'utf8')) as StoreDocument).users
  return {
    users,
    root: context.root,
    enter: async (username: string): Promise<User> => {
      await door.enter({ ...context, actor: async () => await Promise.resolve(admin) }, username)
      const made = (await users()).find((user) => user.username === username)
      if (made === undefined) throw new Error(`there is no account "${username}"`)
      return made
    },
    [Symbol.asyncDispose]: async () => await context[Symbol.asyncDispose](),
  }
}

describe.each(DOORS)('an account that is made by $name', (door) => {
  it('has a home folder of its own where home folders are switched on', async () => {
    await using world = await worldOf(door, { createUserDir: true })
    for (const [username, scope] of [
      ['ca rl', '/users/ca-rl'],
      ['Ann', '/users/Ann-2'],
      ['ca%rl', '/users/ca-rl-2'],
    ] as const) {
      expect((await world.enter(username)).scope).toBe(scope)
      expect((await stat(join(world.root, scope))).isDirectory()).toBe(true)
    }
  })

  it('never has a name that differs from another only in case or Unicode form', async () => {
    await using world = await worldOf(door, {})
    await world.enter('Jürgen')
    const names = async () => (await world.users()).map(({ username }) => username)
    const before = await names()
    for (const name of ['JÜRGEN', 'Ju\u0308rgen', 'BOB']) await expect(world.enter(name)).rejects.toThrow()
    expect(await names()).toEqual(before)
  })

  it('has the folder that is there already, unless people choose their names', async () => {
    await using world = await worldOf(door, { createUserDir: true })
    await mkdir(join(world.root, 'users/dora/letters'), { recursive: true })
    expect((await world.enter('dora')).scope).toBe(door.name === 'sign-up' ? '/users/dora-2' : '/users/dora')
  })

  it('needs a name that is printable, no id, and fit for a folder', async () => {
    await using world = await worldOf(door, { createUserDir: true })
    const cannot = (what: string) => `a user name cannot ${what}`
    const refusals: readonly (readonly [string, string])[] = [
      ['a\tb', door.refusesControls ?? cannot('contain control characters')],
      ['id:7', cannot('look like an id of a user')],
      ['.', cannot('consist of dots only')],
      ['..', cannot('consist of dots only')],
      ['a/b', cannot('contain slashes or backslashes')],
      ['../bob', cannot('contain slashes or backslashes')],
      ['a\\b', cannot('contain slashes or backslashes')],
      ['a\u200bb', cannot('contain invisible characters')],
      ['??', 'no folder can be named after the user'],
      ...(door.trimsNames ? [] : ([[' spacey ', cannot('begin or end with a space')]] as const)),
    ]
    for (const [name, refusal] of refusals) await expect(world.enter(name)).rejects.toThrow(refusal)
    expect(await world.users()).toHaveLength(2)
  })

  it('has the defaults of the settings, and no more rights than whoever asked for it may give', async () => {
    const perm = { admin: true, execute: true, delete: false }
    const defaults = { perm, commands: ['ls'], locale: 'fr', quota: 5_000_000, quotaFiles: 9, scope: '/team' }
    await using world = await worldOf(door, { defaults })
    const made = await world.enter('carl')
    const ofSettings = {
      locale: 'fr',
      commands: ['ls'],
      perm: { admin: true, execute: true, create: true, delete: false },
    }
    const expected = {
      ...(door.isBare ? { locale: '', commands: [], perm: NO_PERMISSIONS } : ofSettings),
      ...(door.isSelfMade && { commands: [], perm: { ...ofSettings.perm, admin: false, execute: false } }),
    }
    expect(made).toMatchObject({ ...expected, quota: 5_000_000, quotaFiles: 9, disabled: false })
  })
})

describe('the first administrator', () => {
  const first = async (username: string) =>
    await firstAdministrator(
      { username, passwordHash: CHEAP_HASH[1], settings: { ...freshSettings(), createUserDir: true } },
      { hasher: createPasswordHasher(), clock: systemClock },
    )

  it('sees all files, whatever the settings give to others', async () => {
    expect((await first('eve')).user).toMatchObject({ username: 'eve', scope: '.', perm: { admin: true } })
  })

  it.each(['a\tb', 'id:7', '..', 'a/b', ' spacey '])(
    'needs a name that other accounts could have, so not %j',
    async (name) => {
      await expect(first(name)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'username' } })
    },
  )
})

describe.each([' spacey ', 'a/b', '..', 'a\u200bb'])('an account that has the name %j already', (username) => {
  const account = { ...make.user(), username, scope: '/old' }
  const world = async (settings: DeepPartial<Settings> = {}) =>
    await testContext({ users: [make.admin(), account], settings, store: 'json' })

  it('signs in, is changed, and keeps its name', async () => {
    await using context = await world()
    const { auth, users } = context.services
    await expect(auth.login({ username, password: account.password }, CLIENT)).resolves.toBeDefined()
    const { id } = users.find(username)
    expect(await users.update(OPERATOR, id, { locale: 'fr', username })).toMatchObject({ username, locale: 'fr' })
  })

  it('moves to another store by a list with its id, and is not made from a list without', async () => {
    await using before = await world()
    const list = before.services.userTransfer.export(OPERATOR).filter((user) => user.username === username)
    await using after = await testContext({ settings: { createUserDir: true } })
    const { userTransfer } = after.services
    const mode = { overwrite: false, replace: false }
    const withoutId = list.map(({ id: _id, ...user }) => user)
    await expect(userTransfer.import(OPERATOR, withoutId, mode)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect((await userTransfer.import(OPERATOR, list, mode)).added).toMatchObject([{ username, scope: '/old' }])
  })
})

/** The plans for old installations that make home folders, with one user of this name besides an administrator. */
const OLD_INSTALLATIONS = [
  {
    name: 'File Browser',
    planFor: (username: string, scope: unknown) =>
      planImport(
        importInput({
          settings: { createUserDir: true },
          users: [
            { id: 1, username: 'admin' },
            { id: 2, username, scope, locale: '', perm: {} },
          ],
        }),
      ),
  },
  {
    name: 'FileBrowser Quantum',
    planFor: (username: string) => {
      const sample = quantumSample('/srv')
      const admin = sample.users[0]
      const users = [...sample.users.slice(0, 1), quantumUser(2, username, { scopes: admin?.['scopes'] })]
      const database = quantumFromBolt(quantumBolt({ ...sample, users, shares: [], rules: {} }))
      const config: unknown = parse(quantumConfig('/srv'))
      if (database === undefined || !isQuantumConfig(config)) throw new Error('not an installation of Quantum')
      return planImport(
        importInput(
          {},
          { old: convertQuantum({ database, config: quantumConfigOf(config, '/srv'), root: undefined }) },
        ),
      )
    },
  },
]

describe.each(OLD_INSTALLATIONS)('an account of an installation of $name', ({ planFor }) => {
  // Home folders are for new people: those of an old installation keep what they saw.
  it.each(['', undefined])('always has a scope: the whole folder if it was written as %j', (scope) => {
    const { document } = planFor('carl', scope)
    const { createUserDir, defaults } = document.settings
    expect(createUserDir || defaults.root === NO_ROOT).toBe(true)
    expect(document.users.map(({ id, username, scope: found }) => [id, username, found])).toEqual([
      [1, 'admin', '/'],
      [2, 'carl', '/'],
    ])
  })

  it('needs a name that is printable and no id', () => {
    for (const username of ['a\tb', 'id:7']) {
      const { document, report } = planFor(username, '/x')
      expect(document.users.map((user) => user.username)).toEqual(['admin'])
      expect(report.dropped.map(({ note }) => note)).toEqual(
        expect.arrayContaining([expect.stringMatching(/control characters|look like an id/)]),
      )
    }
    expect(planFor('..', '/x').document.users).toHaveLength(2)
  })
})

import { type Context, createContext } from '../../src/context.ts'
import { filledPlace } from '../../src/domain/accounts/place.ts'
import type { SignedIn } from '../../src/domain/accounts/actor.ts'
import type { UserId } from '../../src/domain/ids.ts'
import { type DeepPartial, defaultsOf, merged } from '../../src/domain/schema/schema-tools.ts'
import { type OptionSource, ServerOptions } from '../../src/domain/server/server-options.ts'
import type { Settings } from '../../src/domain/settings/settings.ts'
import type { User } from '../../src/domain/accounts/user.ts'
import { ForeignDecoders } from '../../src/platform/images/foreign-decoders.ts'
import type { PostForm } from '../../src/platform/network/post-form.ts'
import type { Logger } from '../../src/platform/logging/logger.ts'
import { createPasswordHasher, type PasswordHasher } from '../../src/platform/security/password-hasher.ts'
import type { ClientInfo } from '../../src/services/accounts/auth/sign-in-request.ts'
import { BEYOND_DEFAULTS } from '../../src/services/accounts/users/new-account.ts'
import { freshSettings, initialDocument } from '../../src/services/server/setup.ts'
import type { HeavyMemory } from '../../src/platform/limits/heavy-memory.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { StoreDocument } from '../../src/store/document.ts'
import { createStore, memoryStores, openStores, type Stores } from '../../src/store/open-stores.ts'
import { type Account, make } from './make.ts'
import { movableClock, type MovableClock } from './movable-clock.ts'
import { type FileTree, tempFolder, type TempFolder } from './temp-folder.ts'

export interface TestContextInput {
  /** By default only `make.admin()`. */
  readonly users?: readonly Account[]
  readonly settings?: DeepPartial<Settings>
  readonly options?: Partial<ServerOptions>
  /** The source of each option; by default "default". */
  readonly optionSources?: Readonly<Record<string, OptionSource>>
  /** Content by path in the served folder: { "docs/a.txt": "text", "empty/": "" }. */
  readonly files?: FileTree
  /** In memory unless "json". */
  readonly store?: 'memory' | 'json'
  /** Opened as by a command, so that a daemon can use the same data folder. */
  readonly besideDaemon?: boolean
  /** Changes how the store behaves, such as when it is away. */
  readonly withStores?: (stores: Stores) => Stores
  readonly clock?: MovableClock
  readonly hasher?: PasswordHasher
  readonly storage?: Storage
  /** Of all heavy work. */
  readonly memory?: HeavyMemory
  readonly log?: Logger
  /** Replaces requests to captcha services. */
  readonly postForm?: PostForm
  /** Video programs; by default none, even if some are installed. */
  readonly foreign?: ForeignDecoders
}

export interface TestContext extends Context {
  readonly clock: MovableClock
  /** The served folder. */
  readonly root: string
  /** Contains the JSON stores, if used. */
  readonly dataFolder: string
  /** A test account with its plain-text password. */
  account(username: string): Account
  /** Signs in with the right password. */
  login(username: string, client?: Partial<ClientInfo>): Promise<string>
  /** Signs in and returns the actor for service calls. */
  actor(username: string): Promise<SignedIn>
}

/** A browser on the same machine. */
export const CLIENT: ClientInfo = { address: '127.0.0.1', userAgent: 'test' }

/** As cheap as argon2id can be. */
export const CHEAP = { memoryCost: 16, timeCost: 1, parallelism: 1 }

/** All services without HTTP, with temporary folders and a stopped clock. Disposing removes everything. */
export async function testContext(input: TestContextInput = {}): Promise<TestContext> {
  const { users = [make.admin()], clock = movableClock(), hasher = createPasswordHasher({ cost: CHEAP }) } = input
  await using held = new AsyncDisposableStack()
  const served = held.use(await tempFolder(input.files))
  const data = held.use(await tempFolder())
  const document = await documentOf(users, merged<Settings>(freshSettings(), input.settings ?? {}), hasher)
  const { withStores = (stores: Stores) => stores } = input
  const context = held.use(
    await createContext({
      options: { ...defaultsOf(ServerOptions), root: served.path, ...input.options },
      stores: withStores(await storesOf(input, data, document)),
      clock,
      hasher,
      ...(input.store === 'json' && { dataFolder: data.path }),
      ...(input.optionSources && { optionSources: input.optionSources }),
      ...(input.storage && { storage: input.storage }),
      ...(input.memory && { memory: input.memory }),
      ...(input.log && { log: input.log }),
      foreign: input.foreign ?? new ForeignDecoders({ path: '' }),
      ...(input.postForm && { postForm: input.postForm }),
    }),
  )
  const all = held.move()
  const account = (username: string) => {
    const found = users.find((user) => user.username === username)
    if (found === undefined) throw new Error(`this test has no user ${username}`)
    return found
  }
  const login = async (username: string, client: Partial<ClientInfo> = {}) =>
    await context.services.auth.login(account(username), { ...CLIENT, ...client })
  return {
    ...context,
    clock,
    root: served.path,
    dataFolder: data.path,
    account,
    login,
    actor: async (username) => (await context.services.auth.authenticate(await login(username), CLIENT)).actor,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

async function documentOf(
  accounts: readonly Account[],
  settings: Settings,
  hasher: PasswordHasher,
): Promise<StoreDocument> {
  // One at a time: the password hasher rejects hundreds of parallel calls.
  const users = await Array.fromAsync(accounts, async ({ password, places = [], ...fields }, index): Promise<User> => ({
    ...settings.defaults,
    ...BEYOND_DEFAULTS,
    sorting: { by: 'name', asc: false },
    ...fields,
    places: places.map(filledPlace),
    id: (index + 1) as UserId,
    passwordHash: await hasher.hash(password),
    updatedAt: 0,
    credentialsVersion: 0,
  }))
  const [admin] = users
  if (admin === undefined) throw new Error('a test needs at least one user')
  return { ...initialDocument({ settings, admin }), users, nextUserId: (users.length + 1) as UserId }
}

async function storesOf(
  { store, besideDaemon = false }: TestContextInput,
  data: TempFolder,
  document: StoreDocument,
): Promise<Stores> {
  if (store !== 'json') return memoryStores(document)
  await createStore(data.path, document)
  return await openStores({ folder: data.path, daemon: !besideDaemon })
}

import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { createContext, type Context } from '../../src/context.ts'
import { OPERATOR } from '../../src/domain/actor.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS, type Permissions } from '../../src/domain/permissions.ts'
import { defaultsOf } from '../../src/domain/schema-tools.ts'
import { ServerOptions } from '../../src/domain/server-options.ts'
import type { Settings } from '../../src/domain/settings.ts'
import type { UserPatch } from '../../src/domain/user.ts'
import { buildApp } from '../../src/http/app.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { createPasswordHasher, type PasswordHasher } from '../../src/platform/password-hasher.ts'
import { memoryStores } from '../../src/store/open-stores.ts'
import { emptyDocument } from '../../src/store/empty-document.ts'
import { askExactly } from './ask-exactly.ts'
import { tempFolder, type FileTree, type TempFolder } from './temp-folder.ts'
import { recordingLog, type RecordedLine } from './recording-log.ts'

export const PASSWORD = 'correct horse battery staple'

export interface TestAppOptions {
  readonly options?: Partial<ServerOptions>
  readonly settings?: Partial<Settings>
  readonly files?: FileTree
  /** The built page, as the build would leave it. */
  readonly page?: FileTree
  readonly clock?: Clock
  readonly hasher?: PasswordHasher
}

export interface RequestExtras {
  readonly payload?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly statusCode: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
  readonly rawPayload: Buffer
  json<T>(): T
}

export type Ask = (method: HTTPMethods, url: string, extras?: RequestExtras) => Promise<Answer>

/** Somebody who is signed in. */
export interface Client {
  readonly token: string
  readonly ask: Ask
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly context: Context
  /** The served folder on the disk. */
  readonly root: TempFolder
  readonly log: readonly RecordedLine[]
  /** Without a token. */
  readonly ask: Ask
  /** Over a real connection, with the address exactly as given. */
  readonly askExactly: Ask
  login(username: string, password?: string): Promise<Client>
  /** Makes a user with exactly these permissions and signs in. */
  user(username: string, perm?: Partial<Permissions>, fields?: UserPatch): Promise<Client>
  /** Makes an administrator with all permissions and signs in. */
  admin(): Promise<Client>
}

/** The application with an empty store in memory and a folder of its own on the disk; nothing listens. */
export async function testApp(given: TestAppOptions = {}): Promise<TestApp> {
  const root = await tempFolder(given.files)
  const page = await tempFolder(given.page)
  const log = recordingLog()
  const document = emptyDocument()
  const context = await createContext({
    options: { ...defaultsOf(ServerOptions), ...given.options, root: root.path },
    stores: memoryStores({ ...document, settings: { ...document.settings, ...given.settings } }),
    hasher: given.hasher ?? cheapHasher(),
    log,
    ...(given.clock === undefined ? {} : { clock: given.clock }),
  })
  const app = await buildApp(context, { uiFolder: page.path })
  const base = (given.options?.baseURL ?? '').replace(/\/$/, '')

  const ask: Ask = async (method, url, { payload, headers } = {}) =>
    await app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers },
      ...(payload === undefined ? {} : { payload }),
    })

  const login = async (username: string, password = PASSWORD): Promise<Client> => {
    const answer = await ask('POST', `${base}/api/login`, { payload: JSON.stringify({ username, password }) })
    if (answer.statusCode !== 200) throw new Error(`sign-in of ${username} failed: ${answer.body}`)
    return clientWith(ask, answer.body)
  }

  const user = async (username: string, perm: Partial<Permissions> = {}, fields: UserPatch = {}): Promise<Client> => {
    const permissions = { ...NO_PERMISSIONS, ...perm }
    await context.services.users.create(OPERATOR, { username, password: PASSWORD, perm: permissions, ...fields })
    return await login(username)
  }

  return {
    app,
    context,
    root,
    log: log.lines,
    ask,
    askExactly: askExactly(app),
    login,
    user,
    admin: async () => await user('admin', ALL_PERMISSIONS),
    async [Symbol.asyncDispose]() {
      await app.close()
      await context[Symbol.asyncDispose]()
      await root[Symbol.asyncDispose]()
      await page[Symbol.asyncDispose]()
    },
  }
}

function clientWith(ask: Ask, token: string): Client {
  return {
    token,
    ask: async (method, url, extras = {}) =>
      await ask(method, url, { ...extras, headers: { 'x-auth': token, ...extras.headers } }),
  }
}

/** The real hasher at the lowest price: these tests are not about how long it takes to guess. */
function cheapHasher(): PasswordHasher {
  return createPasswordHasher({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } })
}

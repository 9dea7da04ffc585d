import type { FastifyInstance, HTTPMethods, LightMyRequestResponse } from 'fastify'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { NO_PERMISSIONS, type Permissions } from '../../../src/domain/access/permissions.ts'
import type { UserPatch } from '../../../src/domain/accounts/user.ts'
import { buildApp } from '../../../src/http/app.ts'
import { askExactly } from './ask-exactly.ts'
import { requireDescribed } from './described-answers.ts'
import { make } from '../make.ts'
import { recordingLog, type RecordedLine } from '../recording-log.ts'
import { tempFolder, type FileTree } from '../temp-folder.ts'
import { testContext, type TestContext, type TestContextInput } from '../test-context.ts'

/** The password of every user in these tests. */
export const PASSWORD = 'correct horse battery staple'

export interface TestAppInput extends Omit<TestContextInput, 'users' | 'log'> {
  /** Replaces the built page. */
  readonly page?: FileTree
  /** See the options of the app. */
  readonly bodyTime?: number
}

export interface RequestExtras {
  readonly payload?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body' | 'rawPayload' | 'json'>

export type Ask = (method: HTTPMethods, url: string, extras?: RequestExtras) => Promise<Answer>

/** A signed-in user. */
export interface Client {
  readonly token: string
  readonly ask: Ask
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly context: TestContext
  /** Path of the served folder. */
  readonly root: string
  readonly log: readonly RecordedLine[]
  /** Without a token. */
  readonly ask: Ask
  /** Over a real connection, with the address unchanged. */
  readonly askExactly: Ask
  login(username: string): Promise<Client>
  /** Creates a user with exactly these permissions and signs in. */
  user(username: string, perm?: Partial<Permissions>, fields?: UserPatch): Promise<Client>
  /** Signs in the administrator, who exists from the start with id 1 and all permissions. */
  admin(): Promise<Client>
}

/** The app with a store in memory and a temporary served folder; it does not listen. */
export async function testApp({ page: built, bodyTime, ...input }: TestAppInput = {}): Promise<TestApp> {
  await using held = new AsyncDisposableStack()
  const page = held.use(await tempFolder(built))
  const log = recordingLog()
  const users = [make.admin({ password: PASSWORD })]
  const context = held.use(await testContext({ ...input, users, log }))
  const app = held.use(await buildApp(context, { uiFolder: page.path, ...(bodyTime !== undefined && { bodyTime }) }))
  const base = (input.options?.baseURL ?? '').replace(/\/$/, '')

  const ask: Ask = async (method, url, { payload, headers } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers },
      ...(payload === undefined ? {} : { payload }),
    })
    if (url.startsWith(`${base}/`)) requireDescribed(method, url.slice(base.length), answer)
    return answer
  }

  const login = async (username: string): Promise<Client> => {
    const payload = JSON.stringify({ username, password: PASSWORD })
    const answer = await ask('POST', `${base}/api/login`, { payload })
    if (answer.statusCode !== 200) throw new Error(`sign-in of ${username} failed: ${answer.body}`)
    return clientWith(ask, answer.body)
  }

  const user = async (username: string, perm: Partial<Permissions> = {}, fields: UserPatch = {}): Promise<Client> => {
    const account = { username, password: PASSWORD, scope: '/', perm: { ...NO_PERMISSIONS, ...perm }, ...fields }
    await context.services.users.create(OPERATOR, account)
    return await login(username)
  }

  const all = held.move()
  return {
    app,
    context,
    root: context.root,
    log: log.lines,
    ask,
    askExactly: askExactly(app),
    login,
    user,
    admin: async () => await login('admin'),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** @param token of the session */
export function clientWith(ask: Ask, token: string): Client {
  return {
    token,
    ask: async (method, url, extras = {}) =>
      await ask(method, url, { ...extras, headers: { 'x-auth': token, ...extras.headers } }),
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import type { TestServer } from './test-server.ts'

/** The state of a server that tests change: its settings, and the account of the administrator. */
export interface ServerState {
  readonly settings: unknown
  readonly account: Partial<UserView>
}

const CHANGED = [
  ...['username', 'rules', 'commands'],
  ...['locale', 'viewMode', 'sorting', 'hideDotfiles', 'favourites', 'folderSizes'],
  ...['singleClick', 'dateFormat', 'redirectAfterCopyMove', 'aceEditorTheme'],
] as (keyof UserView)[]

const ADMINISTRATOR = '/api/users/1'
const SETTINGS = '/api/settings/all'

export async function stateOf(daemon: TestServer): Promise<ServerState> {
  const user = await read<UserView>(daemon, ADMINISTRATOR)
  const unset: Partial<UserView> = { favourites: [], folderSizes: false }
  const account = Object.fromEntries(CHANGED.map((field) => [field, user[field] ?? unset[field]]))
  return { settings: await read(daemon, SETTINGS), account }
}

/** Restores the settings and the account, and removes all other accounts. */
export async function restoreServer(daemon: TestServer, { settings, account }: ServerState): Promise<void> {
  const now = await stateOf(daemon)
  const password = { current_password: daemon.password }
  if (!isDeepStrictEqual(now.account, account)) {
    await send(daemon, 'PUT', ADMINISTRATOR, { what: 'user', which: CHANGED, data: { id: 1, ...account }, ...password })
  }
  if (!isDeepStrictEqual(now.settings, settings)) await send(daemon, 'PUT', SETTINGS, settings)
  for (const { id } of await read<UserView[]>(daemon, '/api/users')) {
    if (id !== 1) await send(daemon, 'DELETE', `/api/users/${id}`, password)
  }
}

async function read<T>(daemon: TestServer, path: string): Promise<T> {
  return (await (await daemon.fetch(path)).json()) as T
}

async function send(daemon: TestServer, method: string, path: string, body: unknown): Promise<void> {
  const answer = await daemon.fetch(path, { method, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
}

import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { GrantView, SharedWithMe } from '../../../src/domain/shares/grant.ts'
import { testApp, type Client, type TestApp, type TestAppInput } from './test-app.ts'

export const MAY_ALL = {
  ...NO_PERMISSIONS,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
}

const ANNAS_FILES = {
  'anna/photos/a.txt': 'alpha',
  'anna/photos/sub/b.txt': 'beta',
  'anna/photos/deny/no.txt': 'denied',
  'anna/secret.txt': 'secret',
  'bob/own.txt': 'own',
  'cleo/c.txt': 'gamma',
}

export interface House {
  readonly server: TestApp
  readonly anna: Client
  readonly bob: Client
  readonly cleo: Client
}

/** Three users with folders of their own. */
export async function house(options: TestAppInput = {}): Promise<House & AsyncDisposable> {
  const server = await testApp({ files: ANNAS_FILES, ...options })
  const [anna, bob, cleo] = [
    await server.user('anna', MAY_ALL, { scope: '/anna' }),
    await server.user('bob', MAY_ALL, { scope: '/bob' }),
    await server.user('cleo', MAY_ALL, { scope: '/cleo' }),
  ]
  return { server, anna, bob, cleo, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

/** @throws unless the reply is 200 */
export async function grantOf(client: Client, path: string, user: string, more: object = {}): Promise<GrantView> {
  const payload = JSON.stringify({ path, to: { user }, ...more })
  const answer = await client.ask('POST', '/api/grants', { payload })
  if (answer.statusCode !== 200) throw new Error(`sharing ${path}: ${answer.body}`)
  return answer.json<GrantView>()
}

export async function sharedWith(client: Client): Promise<SharedWithMe[]> {
  return (await client.ask('GET', '/api/shared')).json<SharedWithMe[]>()
}

/** The folder of what anna shares as "photos". */
export const PHOTOS = '/.filemgr-shared/photos%20(anna)'

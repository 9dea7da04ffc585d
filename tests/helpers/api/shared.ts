import type { ShareDetails, ShareView } from '../../../src/domain/shares/share.ts'
import type { Permissions } from '../../../src/domain/access/permissions.ts'
import { testApp, type Answer, type Client, type RequestExtras, type TestApp, type TestAppInput } from './test-app.ts'

export const MAY_SHARE = { share: true, download: true }

export const SHARED_FILES = {
  'docs/a.txt': 'alpha',
  'docs/.dot': 'dot',
  'docs/deny/no.txt': 'denied',
  'docs/sub/b.txt': 'beta',
  'docs2/c.txt': 'gamma',
  'secret.txt': 'secret',
}

/** A server with these files and the user ann, who may share them. */
export async function serveShared(
  options: TestAppInput = {},
  perm: Partial<Permissions> = {},
): Promise<{ readonly server: TestApp; readonly ann: Client }> {
  const server = await testApp({ files: SHARED_FILES, ...options })
  return { server, ann: await server.user('ann', { ...MAY_SHARE, ...perm }) }
}

/** Creates a link. @throws unless the reply is 200 */
export async function shareOf(client: Client, path: string, body: object = {}): Promise<ShareView> {
  const answer = await client.ask('POST', `/api/share${path}`, { payload: JSON.stringify(body) })
  if (answer.statusCode !== 200) throw new Error(`sharing ${path}: ${answer.body}`)
  return answer.json<ShareView>()
}

/** The reply to a visitor without an account. */
export async function visit(
  server: Pick<TestApp, 'ask'>,
  { hash }: Pick<ShareView, 'hash'>,
  rest = '',
  extras: RequestExtras = {},
): Promise<Answer> {
  return await server.ask('GET', `/api/public/share/${hash}${rest}`, extras)
}

export async function download(
  server: Pick<TestApp, 'ask'>,
  { hash }: Pick<ShareView, 'hash'>,
  rest = '',
  extras: RequestExtras = {},
): Promise<Answer> {
  return await server.ask('GET', `/api/public/dl/${hash}${rest}`, extras)
}

/** A share as its owner sees it. */
export async function detailsOf(client: Client, { hash }: Pick<ShareView, 'hash'>): Promise<ShareDetails> {
  return (await client.ask('GET', `/api/shares/${hash}`)).json<ShareDetails>()
}

export function withPassword(password: string): RequestExtras {
  return { headers: { 'x-share-password': encodeURIComponent(password) } }
}

/** Statuses of the page and of the download. */
export async function statuses(
  server: Pick<TestApp, 'ask'>,
  share: Pick<ShareView, 'hash'>,
  rest = '',
): Promise<[number, number]> {
  return [(await visit(server, share, rest)).statusCode, (await download(server, share, rest)).statusCode]
}

/** Replaces the rules of all users with one that denies the path. */
export async function denyAll({ context }: TestApp, path: string): Promise<void> {
  await context.store.update((draft) => {
    for (const user of draft.users) user.rules = [{ regex: false, allow: false, path, regexp: null }]
  })
}

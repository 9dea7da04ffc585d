import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { UserPatch } from '../../../src/domain/accounts/user.ts'
import type { QuotaUse } from '../../../src/domain/access/quota.ts'
import { type Client, testApp, type TestApp } from './test-app.ts'

export const MB = 1024 * 1024
export const SIZE = 64 * 1024
export const MINUTE = 60_000
/** After so long a usage is counted again, however slowly a busy machine counted it the first time. */
export const TEN_MINUTES = 10 * MINUTE

export interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly ann: Client
}

/** Ann has the folder "home" and a quota. */
export async function openWorld(fields: UserPatch, files: Readonly<Record<string, string>> = {}): Promise<World> {
  const server = await testApp({ files: { 'home/': '', ...files }, options: { tokenExpirationTime: '100h' } })
  const ann = await server.user('ann', { ...ALL_PERMISSIONS, admin: false }, { scope: '/home', ...fields })
  return { server, ann, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

export const upload = async (client: Client, name: string, bytes: number, query = '') =>
  await client.ask('POST', `/api/resources/${name}${query}`, { payload: Buffer.alloc(bytes, 'x') })

export const begin = async (client: Client, name: string, length: number, query = '') =>
  await client.ask('POST', `/api/tus/${name}${query}`, { headers: { 'upload-length': String(length) } })

export const copy = async (client: Client, from: string, to: string) =>
  await client.ask('PATCH', `/api/resources/${from}?action=copy&destination=${encodeURIComponent(`/${to}`)}`)

export const remove = async (client: Client, name: string, query = '') =>
  await client.ask('DELETE', `/api/resources/${name}${query}`)

export const useOf = async (client: Client) =>
  (await client.ask('GET', '/api/usage/')).json<{ quota?: QuotaUse }>().quota

export const usedOf = async (client: Client) => (await useOf(client))?.used

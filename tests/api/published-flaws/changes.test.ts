import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { sampleAddress } from '../../helpers/api/sample-address.ts'
import { stateOf } from '../../helpers/api/state-of.ts'
import { type Client, testApp, type TestApp } from '../../helpers/api/test-app.ts'

const FILES = { 'a.txt': 'a', 'folder/b.txt': 'b' }
const READING = OPERATIONS.filter(({ method }) => method === 'GET')
const CHANGING = OPERATIONS.filter(({ method }) => method !== 'GET')
/** Operations for which this server has nothing to read, with the status of their answers. */
const WITHOUT_A_SAMPLE: Readonly<Record<string, number>> = {
  'archives.get': 415,
  'archives.list': 415,
  'backup.create': 400,
  'events.stream': 404,
  'grants.people': 400,
  'jobs.get': 404,
  'previews.get': 501,
  'groups.get': 404,
  'providers.callback': 302,
  'providers.start': 302,
  'public.preview': 501,
  'public.receipt': 403,
  'public.subtitles': 400,
  'shares.arrivals': 404,
  'shares.get': 404,
  'shares.uploads': 404,
  'subtitles.get': 400,
  'terminal.open': 400,
  'uploads.get': 404,
}
/** The methods that a header or the query claims for a GET request. */
const IN_DISGUISE = ['DELETE', 'PUT', 'PATCH', 'POST']

/** One for all tests, because none of them changes anything. */
let server: TestApp
let admin: Client
let hash: string

beforeAll(async () => {
  server = await testApp({ files: FILES })
  admin = await server.admin()
  await server.user('bob', { ...ALL_PERMISSIONS, admin: false })
  const made = await admin.ask('POST', '/api/share/a.txt', { payload: '{}' })
  ;({ hash } = made.json<{ hash: string }>())
})
afterAll(async () => await server[Symbol.asyncDispose]())

const fileOf = (path: string) => {
  if (path.startsWith('/api/public/') || path.startsWith('/api/share/')) return hash
  return /^\/api\/(usage|search|measure|sizes|count|resources\/recursive)\//.test(path) ? '' : 'a.txt'
}

describe('CVE-2026-61502: a GET request changes nothing, so no link or picture can', () => {
  it.each(READING)('$id: GET $path', async (operation) => {
    const address = sampleAddress(operation, { file: fileOf(operation.path), id: '2' })
    const before = await stateOf(server)
    expect((await admin.ask('GET', address)).statusCode).toBe(WITHOUT_A_SAMPLE[operation.id] ?? 200)
    for (const method of IN_DISGUISE) {
      const headers = { 'x-http-method-override': method, 'x-http-method': method, 'x-method-override': method }
      const more = `_method=${method}&override=true&action=rename&destination=%2Fc.txt`
      await admin.ask('GET', `${address}${address.includes('?') ? '&' : '?'}${more}`, {
        headers: { ...headers, 'upload-length': '0', 'upload-offset': '0' },
      })
    }
    expect(await stateOf(server)).toEqual(before)
  })
})

describe('CVE-2021-46398: a page of another site changes nothing with the cookie, and a refusal ends the request', () => {
  it.each(CHANGING)('$id: $method $path', async (operation) => {
    const { method, path, access } = operation
    const address = sampleAddress(operation, { file: path.startsWith('/api/share/') ? hash : 'a.txt', id: '2' })
    const before = await stateOf(server)
    const headers = {
      cookie: `auth=${admin.token}`,
      origin: 'https://evil.example',
      'upload-length': '0',
      'content-type': 'text/plain',
    }
    const payload = '{"what":"user","which":[],"data":{"username":"eve"}}'
    const answer = await server.ask(method, address, { headers, payload })
    // Public links need no cookie, but the hash in this address is unknown.
    expect(answer.statusCode).toBe(access === 'public' ? answer.statusCode : access === 'share' ? 404 : 401)
    expect(await stateOf(server)).toEqual(before)
    await expect(server.login('admin')).resolves.toBeDefined()
  })
})

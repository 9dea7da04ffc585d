import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { getResource } from '../../../../src/api/files/files.ts'
import { createClient } from '../../../../ui/src/api/client.ts'
import { earlyAnswer } from '../../../../ui/src/api/early-answer.ts'
import { filesPathOf } from '../../../../ui/src/lib/navigation/app-path.ts'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'

const SCRIPT = await readFile(join(import.meta.dirname, '../../../../ui/public/static/early.js'), 'utf8')

interface Page {
  readonly base?: string
  readonly token?: string | null
  readonly answer?: Promise<Response>
}

/** What the script asks for on a page at this address. */
function early(
  pathname: string,
  { base = '', token = 'key', answer = Promise.resolve(new Response('{}')) }: Page = {},
) {
  const asked: { address: string; headers: Record<string, string> }[] = []
  const page = createContext({
    URL,
    location: { pathname },
    localStorage: { getItem: (key: string) => (key === `filemgr:token:${base}` ? token : null) },
    document: { currentScript: { src: `https://files.example${base}/static/early.js` }, documentElement: {} },
    fetch: async (address: string, { headers }: { headers: Record<string, string> }) => {
      asked.push({ address, headers })
      return await answer
    },
  })
  runInContext(SCRIPT, page)
  globalThis.filemgrEarly = (page as { filemgrEarly?: typeof globalThis.filemgrEarly }).filemgrEarly
  return asked
}

/** The request that the page makes for its first folder. */
async function ask(pathname: string, token: string, base = '') {
  const asked: unknown[] = []
  const ownFetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    asked.push(address)
    return await Promise.resolve(new Response('{"own":true}', { headers: { 'Content-Type': 'application/json' } }))
  })
  const client = createClient({
    baseUrl: base,
    token: () => token,
    onRenewHint: () => undefined,
    onRejected: () => undefined,
    fetch: async (...request) => await (earlyAnswer(...request) ?? fetch(...request)),
  })
  const path = parseVirtualPath(filesPathOf(pathname.slice(base.length)) ?? '')
  await client.call(getResource, { params: { '*': path } })
  ownFetch.mockRestore()
  return asked
}

describe('the list that is asked for before the scripts of the page are there', () => {
  afterEach(() => (globalThis.filemgrEarly = undefined))

  it.each([
    ['/files/', ''],
    ['/files/docs/a%20b/', ''],
    ['/fb/files/docs/%C3%A9/x.txt', '/fb'],
  ])('is the one that the page at %s needs, with the same headers', async (pathname, base) => {
    const [request] = early(pathname, { base })
    expect(request?.headers).toEqual({ Accept: 'application/json', 'x-filemgr-page': '1', 'X-Auth': 'key' })
    expect(await ask(pathname, 'key', base)).toEqual([])
    // Once: what is asked later may have changed.
    expect(await ask(pathname, 'key', base)).toHaveLength(1)
  })

  it('is not asked for on other pages, and by nobody who is not signed in', () => {
    expect(early('/share/abc')).toEqual([])
    expect(early('/login')).toEqual([])
    expect(early('/files/', { token: null })).toEqual([])
    expect(early('/files/', { token: '' })).toEqual([])
  })

  it('is not taken for another folder or another user', async () => {
    early('/files/docs/')
    expect(await ask('/files/other/', 'key')).toHaveLength(1)
    expect(await ask('/files/docs/', 'another key')).toHaveLength(1)
  })

  it('is asked for again if there was no connection', async () => {
    early('/files/docs/', { answer: Promise.reject(new TypeError('offline')) })
    expect(await ask('/files/docs/', 'key')).toHaveLength(1)
  })
})

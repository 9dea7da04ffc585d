import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HTTPMethods } from 'fastify'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { Rule } from '../../../src/domain/access/rule.ts'
import type { TrashOutcome } from '../../../src/domain/files/change-many.ts'
import { testApp, type Client, type RequestExtras } from '../../helpers/api/test-app.ts'

const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

const FILES = {
  'free.txt': 'free',
  'mixed/deny/no.txt': 'hidden text',
  'mixed/open.txt': 'open',
  'other/deny/x.txt': 'other',
  'secret/a.srt': 'hidden text',
  'secret/a.txt': 'hidden text',
  'secret/sub/b.txt': 'hidden text',
}
const RULES = [deny('/secret'), deny('/mixed/deny')]

interface Try extends RequestExtras {
  readonly url: string
  readonly method?: HTTPMethods
}

const tus = (method: HTTPMethods): Try[] => [
  {
    url: '/api/tus/secret/new.bin',
    method,
    headers: { 'upload-length': '3', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  },
]
const transfer = (from: string, action: string, to: string, more = ''): Try => ({
  url: `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`,
})

/** Requests that touch what is denied, by operation: each is to be refused, whatever else the user may do. */
const REFUSED: Readonly<Record<string, readonly Try[]>> = {
  'files.get': ['', '/', '/a.txt', '/none', '/a.txt?checksum=md5', '/sub/b.txt'].map((rest) => ({
    url: `/api/resources/secret${rest}`,
  })),
  'files.recursive': [{ url: '/api/resources/recursive/secret' }, { url: '/api/resources/recursive/mixed/deny' }],
  'files.count': [{ url: '/api/count/secret' }, { url: '/api/count/mixed/deny' }],
  'files.measure': [{ url: '/api/measure/secret' }, { url: '/api/measure/mixed/deny' }],
  'files.sizes': [{ url: '/api/sizes/secret?measure=true&notable=true' }, { url: '/api/sizes/mixed/deny' }],
  'files.create': [
    { url: '/api/resources/secret/new.txt', payload: 'x' },
    { url: '/api/resources/secret/a.txt?override=true', payload: 'x' },
    { url: '/api/resources/secret/new/' },
    { url: '/api/resources/mixed/deny/' },
  ],
  'files.save': [
    { url: '/api/resources/secret/a.txt', payload: 'x' },
    { url: '/api/resources/secret/none.txt', payload: 'x' },
  ],
  'files.transfer': ['copy', 'rename'].flatMap((action) => [
    transfer('/secret/a.txt', action, '/out.txt'),
    transfer('/secret', action, '/out'),
    transfer('/free.txt', action, '/secret/in.txt'),
    transfer('/free.txt', action, '/secret/a.txt', '&override=true'),
    transfer('/free.txt', action, '/secret//..//secret/in.txt'),
    transfer('/mixed', action, '/out'),
    transfer('/other', action, '/mixed', '&override=true'),
  ]),
  'files.remove': ['/secret', '/secret/a.txt', '/secret/none', '/mixed', '/mixed?trash=true'].map((rest) => ({
    url: `/api/resources${rest}`,
  })),
  'uploads.begin': tus('POST'),
  'uploads.get': tus('HEAD'),
  'uploads.append': tus('PATCH'),
  'uploads.direct': [{ url: '/api/direct/secret/new.bin' }, { url: '/api/direct/secret/a.txt' }],
  'uploads.discard': tus('DELETE'),
  'downloads.raw': ['/a.txt', '?algo=zip', '/none', '/a.txt?inline=true', '/sub?algo=tar'].map((rest) => ({
    url: `/api/raw/secret${rest}`,
  })),
  'downloads.select': ['', '/', '/sub', '/none'].map((rest) => ({
    url: `/api/selections/secret${rest}`,
    payload: '{"files":["a.txt"]}',
  })),
  'archives.list': [{ url: '/api/archives/secret/a.txt' }, { url: '/api/archives/secret/none.zip?inside=%2Fa' }],
  'archives.get': [{ url: '/api/archived/secret/a.txt?inside=%2Fa' }],
  'archives.extract': [
    { url: '/api/extract/secret/none.zip', payload: '{"destination":"/"}' },
    { url: '/api/extract/free.txt', payload: '{"destination":"/secret"}' },
  ],
  'archives.compress': [
    { url: '/api/compress/secret', payload: '{"names":["a.txt"],"destination":"/out.zip"}' },
    { url: '/api/compress/', payload: '{"names":["free.txt","secret"],"destination":"/out.zip"}' },
    { url: '/api/compress/', payload: '{"names":["free.txt"],"destination":"/secret/out.zip"}' },
  ],
  'pictures.edit': [{ url: '/api/pictures/secret/a.png', payload: '{"turns":1}' }],
  'previews.get': [{ url: '/api/preview/thumb/secret/a.txt' }, { url: '/api/preview/big/secret/none.png' }],
  'subtitles.get': [{ url: '/api/subtitle/secret/a.srt' }],
  'usage.get': [{ url: '/api/usage/secret' }, { url: '/api/usage/mixed/deny/' }],
  'events.stream': [{ url: '/api/events?folder=%2Fsecret' }],
  'shares.create': [
    { url: '/api/share/secret/a.txt', payload: '{}' },
    { url: '/api/share/mixed/deny', payload: '{}' },
  ],
  'grants.create': ['/secret/a.txt', '/mixed/deny'].map((path) => ({
    url: '/api/grants',
    payload: JSON.stringify({ path, to: { user: 'admin' } }),
  })),
}

/** Operations that answer with what is allowed and keep silent about the rest. */
const SILENT: Readonly<Record<string, readonly string[]>> = {
  'files.get': ['/api/resources/', '/api/resources/mixed'],
  'files.recursive': ['/api/resources/recursive/'],
  'files.count': ['/api/count/'],
  'files.measure': ['/api/measure/'],
  'files.sizes': ['/api/sizes/?measure=true&notable=true', '/api/sizes/mixed'],
  'search.run': ['/api/search/?query=t', '/api/search/secret/?query=t', '/api/search/mixed?query=txt'],
  'downloads.raw': ['/api/raw/?algo=tar', '/api/raw/?algo=tar&files=secret,free.txt', '/api/raw/mixed?algo=tar'],
}

/** Operations that reach no path of a user, or whose own tests cover rules. */
const ELSEWHERE: readonly RegExp[] = [
  // The bytes come with the request.
  /^encodings\./,
  /^(auth|sessions|tokens|factors|providers|directories|identities|users|groups|quotas|rules|settings|branding|roots|places|server|jobs|notices|backup|hooks|webhooks|terminal|logs|cache|doctor|audit|maintenance)\./,
  // They take ids: the tests below and those of public links check the paths behind them.
  /^(trash|public)\./,
  /^grants\.(list|update|remove|shared|leave|people)$/,
  /^shares\.(list|get|arrivals|see|uploads|cancelUpload|update|ofPath|remove|removeMany)$/,
  // They answer for each name: renames.test.ts, create-many.test.ts and change-many.test.ts in tests/api/files cover names that rules deny.
  /^files\.(planRenames|renameMany|createMany|changeMany)$/,
  // It acts on an open stream, which exists for allowed folders only.
  /^events\.watch$/,
]

async function serve() {
  const server = await testApp({ files: FILES, settings: { rules: RULES } })
  const ann = await server.user('ann', ALL_PERMISSIONS)
  return { server, ann, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

async function treeOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const pairs = files.map(async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')] as const)
  return Object.fromEntries((await Promise.all(pairs)).toSorted())
}

it('every operation is in one of these tables', () => {
  const known = new Set([...Object.keys(REFUSED), ...Object.keys(SILENT)])
  const unknown = OPERATIONS.filter(({ id }) => !known.has(id) && !ELSEWHERE.some((pattern) => pattern.test(id)))
  expect(unknown.map(({ id }) => id)).toEqual([])
})

describe.each(OPERATIONS.filter(({ id }) => id in REFUSED).map(({ id, method }) => ({ id, method })))(
  'CVE-2026-32758: $id',
  ({ id, method }) => {
    it('is refused where a rule denies, and changes nothing', async () => {
      await using world = await serve()
      for (const { url, ...request } of REFUSED[id] ?? []) {
        const answer = await world.ann.ask(request.method ?? method, url, request)
        expect([url, answer.statusCode]).toEqual([url, 403])
        expect(answer.body).not.toContain('hidden text')
      }
      expect(await treeOf(world.server.root)).toEqual(FILES)
    })
  },
)

describe.each(Object.entries(SILENT))('%s', (_, urls) => {
  it.each(urls)('reveals no denied file at %s', async (url) => {
    await using world = await serve()
    const { statusCode, body } = await world.ann.ask('GET', url)
    expect(statusCode).toBe(200)
    for (const word of ['secret/', '"secret"', 'b.txt', 'no.txt', 'mixed/deny', 'hidden text']) {
      expect(body, word).not.toContain(word)
    }
  })
})

describe('a rule', () => {
  const hide = async (world: Awaited<ReturnType<typeof serve>>, path: string) =>
    await world.server.context.services.rules.add(OPERATOR, deny(path))

  const hashOf = async (ann: Client, path: string) =>
    (await ann.ask('POST', `/api/share${path}`, { payload: '{}' })).json<{ hash: string }>().hash

  it('CVE-2026-54091: hides files from public links of a user who may not see them', async () => {
    await using world = await serve()
    const hash = await hashOf(world.ann, '/mixed')
    const visit = async (rest: string) => await world.server.ask('GET', `/api/public/${rest}`)
    expect((await visit(`share/${hash}`)).body).not.toContain('deny')
    expect((await visit(`share/${hash}/deny/no.txt`)).statusCode).toBe(403)
    expect((await visit(`dl/${hash}/deny/no.txt`)).statusCode).toBe(403)
    expect((await visit(`dl/${hash}?algo=tar`)).body).not.toContain('hidden text')
    await hide(world, '/mixed')
    expect((await visit(`share/${hash}`)).statusCode).toBe(403)
    expect((await visit(`dl/${hash}/open.txt`)).statusCode).toBe(403)
  })

  it('that is added later keeps a file from coming back from the trash', async () => {
    await using world = await serve()
    expect((await world.ann.ask('DELETE', '/api/resources/free.txt?trash=true')).statusCode).toBe(204)
    const [item] = (await world.ann.ask('GET', '/api/trash')).json<{ id: string }[]>()
    await hide(world, '/free.txt')
    expect((await world.ann.ask('POST', `/api/trash/${item?.id ?? ''}`)).statusCode).toBe(403)
    const payload = JSON.stringify({ action: 'restore', ids: [item?.id] })
    const [outcome] = (await world.ann.ask('POST', '/api/trash', { payload })).json<TrashOutcome[]>()
    expect(outcome?.error?.code).toBe('FORBIDDEN')
  })

  it('that is added later stops an upload that has begun', async () => {
    await using world = await serve()
    const url = '/api/tus/up.bin'
    expect((await world.ann.ask('POST', url, { headers: { 'upload-length': '3' } })).statusCode).toBe(201)
    await hide(world, '/up.bin')
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await world.ann.ask('PATCH', url, { headers, payload: 'abc' })).statusCode).toBe(403)
    expect(await treeOf(world.server.root)).not.toHaveProperty(['up.bin'])
  })
})

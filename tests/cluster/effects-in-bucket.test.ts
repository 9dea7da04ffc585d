import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ProcessLocks } from '../../src/platform/limits/name-locks.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type Scope, storagePathOf } from '../../src/storage/storage.ts'
import { codeOf, content, namesIn, NEW, path, put, REPLACE } from '../contract/storage/view.ts'
import { type S3Proxy, type SeenRequest, startS3Proxy } from '../helpers/cluster/s3-proxy.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'

const FREE = { replace: false, fileMode: 0o640, folderMode: 0o750 }
/** Milliseconds in which a save that nothing keeps waiting is done. */
const LONG = 300

let server: S3Server
let proxy: S3Proxy

beforeAll(async () => {
  server = await startS3Server()
  proxy = await startS3Proxy(server)
  Object.assign(process.env, proxy.env)
})

afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

afterEach(() => {
  proxy.before = () => undefined
})

interface World extends AsyncDisposable {
  /** Two daemons. */
  readonly one: Scope
  readonly other: Scope
  /** A program that takes no locks. */
  readonly foreign: Scope
}

async function openWorld(): Promise<World> {
  const place = { bucket: server.bucket, prefix: `${randomUUID()}/` }
  const locks = new ProcessLocks()
  await using held = new AsyncDisposableStack()
  const open = async (own: ProcessLocks) => {
    const storage = held.use(openS3Storage(place, { locks: own }))
    return await storage.openScope(storagePathOf(path('/')), 'inside')
  }
  const [one, other, foreign] = [await open(locks), await open(locks), await open(new ProcessLocks())]
  const all = held.move()
  return { one, other, foreign, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

const isProbe = ({ key }: SeenRequest) => /\.fm-tmp\/[ab]$/.test(key)

/** The server seems to implement no conditions. */
const refuseProbes: S3Proxy['before'] = (seen, response) => {
  if (isProbe(seen)) response.writeHead(501).end()
}

/** Does something as soon as a request of a kind for a key arrives, which waits until it is done, or else for a moment. */
function during(
  operation: SeenRequest['operation'],
  name: string,
  work: () => Promise<unknown>,
  { patience = LONG }: { readonly patience?: number } = {},
) {
  const { before } = proxy
  let done: Promise<unknown> | undefined
  proxy.before = async (seen, response) => {
    await before(seen, response)
    if (done !== undefined || seen.operation !== operation || !seen.key.endsWith(name)) return
    done = work()
    await Promise.race([done, pause(patience)])
  }
  return async () => await (done ?? Promise.reject(new Error(`no ${operation} of ${name}`)))
}

describe.each([
  ['that honours conditions', () => undefined],
  ['that ignores conditions', refuseProbes],
])('in a bucket %s', (_, before) => {
  it('of two moves, one of them back, which both continue what was interrupted, a file stays at one end', async () => {
    await using world = await openWorld()
    const { one, other } = world
    proxy.before = before
    for (const name of ['/old', '/new']) await put(one, name, 'same')
    const mode = { replace: true, folderMode: 0o750, earlier: { since: 0, merging: true } } as const
    const there = one.move(path('/old'), path('/new'), mode)
    await Promise.allSettled([there, other.move(path('/new'), path('/old'), mode)])
    expect((await namesIn(one, '/')).filter((name) => ['old', 'new'].includes(name))).not.toEqual([])
  })

  it('a rename does not remove a save that was acknowledged meanwhile', async () => {
    await using world = await openWorld()
    const { one, other } = world
    proxy.before = before
    await put(one, '/old', 'first')
    const saved = during('DELETE', '/old', async () => await put(other, '/old', 'second', REPLACE))
    expect(await one.rename(path('/old'), path('/new'), FREE)).toBe(true)
    await saved()
    expect(await content(one, '/old')).toBe('second')
    expect(await content(one, '/new')).toBe('first')
  })

  it('a deletion that was judged does not remove a save that was acknowledged meanwhile', async () => {
    await using world = await openWorld()
    const { one, other } = world
    proxy.before = before
    await put(one, '/mine', 'first')
    const saved = during('DELETE', '/mine', async () => await put(other, '/mine', 'second', REPLACE))
    await one.removeFile(path('/mine'), () => undefined)
    await saved()
    expect(await content(one, '/mine')).toBe('second')
  })

  it('a rename does not replace a file that has appeared at its target', async () => {
    await using world = await openWorld()
    const { one, other } = world
    proxy.before = before
    for (const name of ['a', 'b']) await put(one, `/${name}`, name)
    let second: Promise<string> | undefined
    const renamed = during('COPY', '/free', async () => {
      second = codeOf(other.rename(path('/b'), path('/free'), FREE))
      await second
    })
    await one.rename(path('/a'), path('/free'), FREE)
    await renamed()
    expect(await second).toBe('CONFLICT')
    expect(await content(one, '/free')).toBe('a')
    expect(await content(one, '/b')).toBe('b')
  })

  it('one of several renames of a file, and of a folder, wins', async () => {
    await using world = await openWorld()
    const { one, other } = world
    proxy.before = before
    await put(one, '/file', 'x')
    for (const name of ['1', '2', '3']) await put(one, `/folder/${name}`, name)
    for (const name of ['file', 'folder']) {
      const renames = [one, other, one, other].map(
        async (scope, index) => await codeOf(scope.rename(path(`/${name}`), path(`/${name}-${index}`), FREE)),
      )
      const codes = await Promise.all(renames)
      expect(
        codes.filter((code) => code === 'no error'),
        codes.join(),
      ).toHaveLength(1)
    }
    expect(await namesIn(one, '/')).toHaveLength(2)
  })
})

it('a file that another program saves while it is renamed is not lost', async () => {
  await using world = await openWorld()
  await put(world.one, '/old', 'first')
  const save = async () => await put(world.foreign, '/old', 'second', REPLACE)
  const saved = during('DELETE', '/old', save, { patience: 30_000 })
  await world.one.rename(path('/old'), path('/new'), FREE)
  await saved()
  expect(await namesIn(world.one, '/')).toEqual(['new'])
  expect(await content(world.one, '/new')).toBe('second')
})

it('a failed removal of the original takes the copy back', async () => {
  await using world = await openWorld()
  await put(world.one, '/old', 'x')
  proxy.before = ({ operation, key }, response) => {
    if (operation === 'DELETE' && key.endsWith('/old')) response.writeHead(403).end()
  }
  expect(await codeOf(world.one.rename(path('/old'), path('/new'), FREE))).toBe('FORBIDDEN')
  expect(await namesIn(world.one, '/')).toEqual(['old'])
})

it('leftovers are found without asking for ".", which MinIO refuses', async () => {
  const prefix = `${randomUUID()}/`
  await using storage = openS3Storage({ bucket: server.bucket, prefix })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  const name = scope.staging.newName()
  await scope.staging.create(path('/a.txt'), name, { ...NEW, length: 3 })
  for (const other of ['/-', '/.a', '/z']) await put(scope, other, 'x')
  proxy.before = ({ operation, key, after = '' }, response) => {
    const isPath = [key, after].some((text) => /(^|\/)\.\.?(\/|$)/.test(text))
    if (operation === 'LIST' && isPath) response.writeHead(400).end()
  }
  const seen: string[] = []
  await storage.visitHidden(({ path: found }) => {
    seen.push(found)
    return false
  })
  expect(seen).toEqual([`/${name}`])
})

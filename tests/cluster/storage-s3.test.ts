import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { isFilemgrError } from '../../src/domain/errors.ts'
import type { ArchiveFormat } from '../../src/domain/files/archives/archive-format.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type Scope, type Storage, storagePathOf } from '../../src/storage/storage.ts'
import { listingContract } from '../contract/storage/suites/listing.ts'
import { stagingContract } from '../contract/storage/suites/staging.ts'
import { storageContract } from '../contract/storage/suites/storage.ts'
import { countingContract } from '../contract/storage/suites/counting.ts'
import { betweenContract } from '../contract/storage/suites/between.ts'
import { transferContract } from '../contract/storage/suites/transfer.ts'
import {
  codeOf,
  content,
  found,
  list,
  namesIn,
  NEW,
  path,
  put,
  REPLACE,
  viewOf,
  walked,
} from '../contract/storage/view.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const FREE = { replace: false, fileMode: 0o640, folderMode: 0o750 }

const server = s3OfFile(startS3Server)

const open = async () => ({
  storage: openS3Storage({ bucket: server().bucket, prefix: `${randomUUID()}/` }),
  // Some servers do not escape characters that XML lacks, so they could not list such a name.
  refused: /control/,
  async [Symbol.asyncDispose]() {
    await this.storage[Symbol.asyncDispose]()
  },
})

storageContract('a bucket', open)
listingContract('a bucket', open)
transferContract('a bucket', open)
betweenContract('a bucket', open)
countingContract('a bucket', open)
stagingContract('a bucket', open)

interface World extends AsyncDisposable {
  readonly storage: Storage
  readonly scope: Scope
  /** The same files, seen by another daemon. */
  readonly elsewhere: Scope
  /** Where an object lies on the disk of the server(). */
  at(name: string): string
  /** Puts an object there as another program would. */
  plant(name: string, text: string): void
}

async function openWorld(): Promise<World> {
  const prefix = `${randomUUID()}/`
  const [storage, other] = [0, 1].map(() => openS3Storage({ bucket: server().bucket, prefix }))
  if (storage === undefined || other === undefined) throw new Error('there is no storage')
  const root = storagePathOf(path('/'))
  const at = (name: string) => join(server().folder, prefix, name)
  return {
    storage,
    at,
    scope: await storage.openScope(root, 'inside'),
    elsewhere: await other.openScope(root, 'inside'),
    plant(name, text) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), text)
    },
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    },
  }
}

describe('other programs', () => {
  it('see each file under its path, and filemgr sees theirs', async () => {
    await using world = await openWorld()
    const { scope, at } = world
    await put(scope, '/docs/mine.txt', 'mine')
    expect(readFileSync(at('docs/mine.txt'), 'utf8')).toBe('mine')
    world.plant('photos/deep/theirs.txt', 'theirs')
    expect(await walked(scope, '/photos')).toEqual(['/photos/deep', '/photos/deep/theirs.txt'])
    expect(await content(scope, '/photos/deep/theirs.txt')).toBe('theirs')
  })

  it('need no object for a folder, which stays when its last file is removed', async () => {
    await using world = await openWorld()
    world.plant('photos/only.txt', 'x')
    await world.scope.remove(path('/photos/only.txt'))
    expect(await walked(world.scope, '/')).toEqual(['/photos'])
  })
})

describe('several daemons', () => {
  it('let one of several writers of a new name win', async () => {
    await using world = await openWorld()
    const { scope, elsewhere } = world
    const writers = [scope, elsewhere, scope, elsewhere].map(async (each) => await codeOf(put(each, '/race', 'x')))
    expect((await Promise.all(writers)).toSorted()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'no error'])
  })

  it('do not replace what another has written since they read it', async () => {
    await using world = await openWorld()
    const { scope, elsewhere } = world
    const seen = await put(scope, '/a.txt', 'one')
    const requireSeen = (current: { readonly modified: bigint } | undefined) => {
      if (current?.modified !== seen.modified) throw new Error('changed')
    }
    async function* body() {
      yield Buffer.from('two')
      await put(elsewhere, '/a.txt', 'other', REPLACE)
    }
    const saving = scope.write(path('/a.txt'), Readable.from(body()), { ...REPLACE, accept: requireSeen })
    await expect(saving).rejects.toThrow('changed')
    expect(await content(scope, '/a.txt')).toBe('other')
  })

  it('continue uploads of each other at every acknowledged byte', async () => {
    await using world = await openWorld()
    const { scope, elsewhere } = world
    const body = randomBytes(24 * 1024 * 1024 + 17)
    const mode = { ...NEW, length: body.length }
    const [name, target] = [scope.staging.newName(), path('/new/large.bin')]
    await scope.staging.create(target, name, mode)
    let offset = 0
    // Below and above the minimum size of a part, and above the maximum size of a request.
    for (const [turn, size] of [1, 3_000_000, 4_000_000, 17_000_000, body.length].entries()) {
      const one = turn % 2 === 0 ? scope : elsewhere
      expect((await one.staging.state(target, name)).size).toBe(offset)
      const part = body.subarray(offset, offset + size)
      const reached = await one.staging.append(target, name, Readable.from([part]), { offset, length: body.length })
      expect(reached).toBe(offset + part.length)
      offset = reached
    }
    expect(await namesIn(scope, '/new')).toEqual([])
    await elsewhere.staging.commit(target, name, { ...mode, modified: 1_500_000_000_250_000_000n })
    await using file = await scope.open(target)
    expect((await buffer(file.stream(0, file.size - 1))).equals(body)).toBe(true)
    expect(file.modified).toBe(1_500_000_000_250_000_000n)
    expect(readdirSync(world.at('.'))).toEqual(['new'])
  })
})

it('a late part does not harm an upload that another daemon has continued', async () => {
  await using world = await openWorld()
  const { scope, elsewhere } = world
  const [name, target] = [scope.staging.newName(), path('/a.txt')]
  const mode = { ...NEW, length: 8 }
  const append = async (one: Scope, offset: number, body: Iterable<Buffer> | AsyncIterable<Buffer>) =>
    await one.staging.append(target, name, Readable.from(body), { offset, length: 8 })
  await scope.staging.create(target, name, mode)
  for (const [offset, first, rest] of [
    [0, 'ab', 'cd'],
    [4, 'ef', 'gh'],
  ] as const) {
    async function* late() {
      yield Buffer.from(first)
      expect(await append(elsewhere, offset, [Buffer.from(first + rest)])).toBe(offset + 4)
    }
    expect(await codeOf(append(scope, offset, late()))).toBe('CONFLICT')
    expect((await scope.staging.state(target, name)).size).toBe(offset + 4)
  }
  await scope.staging.commit(target, name, mode)
  expect(await content(scope, '/a.txt')).toBe('abcdefgh')
})

describe('a bucket', () => {
  it('stores a body of unknown length that is larger than one request', async () => {
    await using world = await openWorld()
    const body = randomBytes(35 * 1024 * 1024)
    const written = await world.scope.write(
      path('/large'),
      Readable.from([body.subarray(0, 20e6), body.subarray(20e6)]),
      NEW,
    )
    expect(written.size).toBe(body.length)
    expect(readFileSync(world.at('large')).equals(body)).toBe(true)
    await using file = await world.scope.open(path('/large'))
    expect([file.modified, file.inode]).toEqual([written.modified, written.inode])
  })

  it('keeps the time of a file that is moved, restored or renamed with its folder', async () => {
    await using world = await openWorld()
    const { scope } = world
    const modified = 1_234_567_890_123_000_000n
    await put(scope, '/a/file', 'x', { ...NEW, modified })
    await scope.rename(path('/a'), path('/b'), FREE)
    const { id } = await scope.trash.put('1', path('/b/file'), 0)
    await scope.trash.restore('1', id, path('/c/file'), { folderMode: 0o750 })
    expect((await list(scope, '/c')).items).toMatchObject([{ name: 'file', modified: '2009-02-13T23:31:30.123Z' }])
  })

  it('does not say that it has restored what another request has just taken from the trash', async () => {
    await using world = await openWorld()
    const { scope } = world
    await put(scope, '/a', 'x')
    const { id } = await scope.trash.put('1', path('/a'), 0)
    // The moment before the other request removes the record.
    rmSync(world.at(`.filemgr-trash/1/${id}/content`))
    expect(await codeOf(scope.trash.restoreAtOnce('1', id, path('/b'), 0o750))).toBe('NOT_FOUND')
    expect([await scope.exists(path('/b')), await scope.trash.list('1')]).toEqual([false, []])
  })

  it('leaves the rename of a large folder to a job', async () => {
    await using world = await openWorld()
    const { scope } = world
    await Promise.all(Array.from({ length: 101 }, async (_, i) => await put(scope, `/many/${i}`)))
    expect(await scope.rename(path('/many'), path('/other'), FREE)).toBe(false)
    expect(await scope.trash.putAtOnce('1', path('/many'), 0)).toBeUndefined()
    await scope.move(path('/many'), path('/other'), FREE)
    expect(await scope.count(path('/other'), viewOf('/'))).toBe(101)
    expect(await scope.exists(path('/many'))).toBe(false)
    const { id } = await scope.trash.put('1', path('/other'), 0)
    expect(await scope.trash.restoreAtOnce('1', id, path('/many'), 0o750)).toBe(false)
    await scope.trash.restore('1', id, path('/many'), { folderMode: 0o750 })
    expect(await scope.count(path('/many'), viewOf('/'))).toBe(101)
  })

  it('is walked and searched in the order of a disk, although its keys sort differently', async () => {
    await using world = await openWorld()
    const { scope } = world
    for (const name of ['/a.txt', '/a b/x', '/a/z', '/a/b-1', '/a/b/c', '/a-/y', '/b']) await put(scope, name)
    const all = ['/a', '/a/b', '/a/b/c', '/a/b-1', '/a/z', '/a b', '/a b/x', '/a-', '/a-/y', '/a.txt', '/b']
    expect(await walked(scope, '/')).toEqual(all)
    expect(await found(scope, '/', '')).toEqual(all.map((name) => name.slice(1)))
  })

  it.each(['zip', 'tar', 'targz', 'tarzst'] as const)('is downloaded as %s', async (format: ArchiveFormat) => {
    await using world = await openWorld()
    await using folder = await tempFolder()
    const { scope } = world
    await put(scope, '/docs/a.txt', 'alpha')
    await put(scope, '/docs/deep/b.bin', Buffer.alloc(300_000, 'b'))
    await put(scope, '/docs/.hidden', 'no')
    await scope.makeFolder(path('/docs/empty'), 0o750)
    const selection = { format, base: path('/'), items: [path('/docs'), path('/none')] }
    const { parts } = await scope.archive(selection, { ...viewOf('/'), hideDotfiles: true })
    const archive = folder.at('archive')
    writeFileSync(archive, Buffer.concat(await Array.fromAsync(parts(), (part) => Buffer.from(part))))
    const [unpack, ...args] =
      format === 'zip' ? ['unzip', '-q', archive, '-d', folder.path] : ['tar', '-xf', archive, '-C', folder.path]
    execFileSync(unpack, args)
    expect(readdirSync(folder.at('docs')).toSorted()).toEqual(['a.txt', 'deep', 'empty'])
    expect(readFileSync(folder.at('docs/a.txt'), 'utf8')).toBe('alpha')
    expect(readFileSync(folder.at('docs/deep/b.bin')).length).toBe(300_000)
  })

  it('sweeps the staged parts of a daemon that was killed, and no others', async () => {
    const { StagedNames } = await import('../../src/storage/reserved-names.ts')
    const prefix = `${randomUUID()}/`
    let needed: readonly string[] = []
    const namesOf = (run: string, wasUnclean: boolean) => {
      const names = new StagedNames({ installation: '0'.repeat(8), run }, wasUnclean)
      return Object.assign(names, { neededByUploads: async () => new Set(needed) })
    }
    const openAs = (run: string, wasUnclean: boolean) =>
      openS3Storage({ bucket: server().bucket, prefix }, { staged: namesOf(run, wasUnclean) })
    await using killed = openAs('1'.repeat(8), false)
    const scope = await killed.openScope(storagePathOf(path('/')), 'inside')
    const [left, kept] = [scope.staging.newName(), scope.staging.newName()]
    for (const name of [left, kept]) await scope.staging.create(path('/a.txt'), name, { ...NEW, length: 3 })
    await using next = openAs('2'.repeat(8), true)
    needed = [kept]
    expect(await next.sweep()).toMatchObject({ removed: 1 })
    expect(await codeOf(scope.staging.state(path('/a.txt'), left))).toBe('NOT_FOUND')
    expect(await codeOf(scope.staging.state(path('/a.txt'), kept))).toBe('no error')
  })

  describe('a folder of which others remove copies while it is moved', () => {
    const filled = async () => {
      const world = await openWorld()
      for (const name of ['a', 'b', 'sub/c']) await put(world.scope, `/from/${name}`, 'old')
      return world
    }

    /** Removes the copies of two files as soon as all three have been copied. */
    const removing = ({ at }: World, folder: () => string) => {
      let copied = 0
      const leftOut: string[] = []
      const work = {
        leftOut: (name: string) => leftOut.push(name),
        advance: (_: number, files: number) => {
          copied += files
          if (files > 0 && copied === 3) for (const name of ['a', 'sub/c']) rmSync(at(`${folder()}/${name}`))
        },
      }
      return { work, leftOut }
    }

    it('keeps their originals', async () => {
      await using world = await filled()
      const { work, leftOut } = removing(world, () => 'to')
      await world.scope.move(path('/from'), path('/to'), FREE, work)
      expect(await walked(world.scope, '/from')).toEqual(['/from/a', '/from/sub', '/from/sub/c'])
      expect(await walked(world.scope, '/to')).toContain('/to/b')
      expect(leftOut.toSorted()).toEqual(['from/a', 'from/sub/c'])
    })

    it('keeps them in the list of the trash when it is restored', async () => {
      await using world = await filled()
      const { id } = await world.scope.trash.put('1', path('/from'), 1000)
      const { work, leftOut } = removing(world, () => 'to')
      await world.scope.trash.restore('1', id, path('/to'), { folderMode: 0o750 }, work)
      expect(leftOut).toHaveLength(2)
      expect(await world.scope.trash.list('1')).toMatchObject([{ id }])
      await world.scope.trash.restore('1', id, path('/again'), { folderMode: 0o750 })
      expect(await walked(world.scope, '/again')).toEqual(['/again/a', '/again/sub', '/again/sub/c'])
      expect(await world.scope.trash.list('1')).toEqual([])
    })

    it('is in the list of the trash, although that is emptied while it arrives', async () => {
      await using world = await filled()
      const folder = () => join('.filemgr-trash/1', readdirSync(world.at('.filemgr-trash/1'))[0] ?? '')
      const { work, leftOut } = removing(world, () => {
        rmSync(world.at(join(folder(), 'record.json')), { force: true })
        return join(folder(), 'content')
      })
      const { id } = await world.scope.trash.put('1', path('/from'), 1000, work)
      expect(leftOut).toHaveLength(2)
      expect(await world.scope.trash.list('1')).toMatchObject([{ id }])
      expect(await walked(world.scope, '/from')).toEqual(['/from/a', '/from/sub', '/from/sub/c'])
    })
  })

  it('reports where the trash of each user is', async () => {
    await using world = await openWorld()
    await put(world.scope, '/home/file', 'x')
    const home = await world.storage.openScope(storagePathOf(path('/home')), 'inside')
    await home.trash.put('7', path('/file'), 0)
    const seen: unknown[] = []
    await world.storage.visitHidden((entry) => seen.push(entry) === 0)
    expect(seen).toEqual([{ kind: 'trash', path: '/home/.filemgr-trash/7', owner: '7', scope: '/home' }])
  })
})

describe('faults', () => {
  const messageOf = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (isFilemgrError(error)) return `${error.code}: ${error.message}`
      throw error
    }
    return 'no error'
  }

  const readyWith = async (change: Record<string, string>, bucket = server().bucket) => {
    const before = { ...process.env }
    Object.assign(process.env, change)
    try {
      await using storage = openS3Storage({ bucket, prefix: '' })
      return await messageOf(async () => await storage.ready())
    } finally {
      process.env = before
    }
  }

  it('of the configuration are reported in one line, without the credentials', async () => {
    expect(await readyWith({})).toBe('no error')
    expect(await readyWith({}, 'missing')).toMatch(/^UNAVAILABLE: the bucket missing does not exist/)
    expect(await readyWith({ AWS_SECRET_ACCESS_KEY: 'wrong-secret' })).toMatch(
      /^UNAVAILABLE: the S3 server does not accept/,
    )
    expect(await readyWith({ AWS_ACCESS_KEY_ID: 'wrong-key' })).toMatch(/^UNAVAILABLE: the S3 server does not know/)
    expect(await readyWith({ AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })).toMatch(/^UNAVAILABLE: .*ECONNREFUSED/)
  })

  it('of an unreachable server end without a restart, and nothing is acknowledged meanwhile', async () => {
    await using world = await openWorld()
    const { scope } = world
    const [name, target] = [scope.staging.newName(), path('/late.txt')]
    await scope.staging.create(target, name, { ...NEW, length: 6 })
    await scope.staging.append(target, name, Readable.from([Buffer.from('abc')]), { offset: 0, length: 6 })
    await server().stop()
    const rest = async () =>
      await scope.staging.append(target, name, Readable.from([Buffer.from('def')]), { offset: 3, length: 6 })
    expect(await codeOf(rest())).toBe('UNAVAILABLE')
    expect(await codeOf(put(scope, '/lost', 'x'))).toBe('UNAVAILABLE')
    await server().start()
    expect(await scope.exists(path('/lost'))).toBe(false)
    expect(await rest()).toBe(6)
    await scope.staging.commit(target, name, { ...NEW, length: 6 })
    expect(await content(scope, '/late.txt')).toBe('abcdef')
  })
})

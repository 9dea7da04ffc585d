import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { FilemgrError } from '../../../../src/domain/errors.ts'
import { openLocalStorage } from '../../../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../../../src/storage/storage.ts'
import { LocalWorld, openDescriptors } from '../local-world.ts'
import { brokenBody, codeOf, found, list, namesIn, NEW, path, put, REPLACE, viewOf, walked } from '../view.ts'

function permissions(file: string): number {
  return statSync(file).mode & 0o777
}

/** A consumer that leaves after the first thing it gets. */
async function takeOne(things: AsyncIterable<unknown>): Promise<void> {
  const iterator = things[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
}

describe('the local disk', () => {
  it('keeps the mode of a file that is overwritten', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'script'), 'old')
    chmodSync(join(world.root, 'script'), 0o755)
    await put(world.scope, '/script', 'new', REPLACE)
    expect(permissions(join(world.root, 'script'))).toBe(0o755)
    expect(readFileSync(join(world.root, 'script'), 'utf8')).toBe('new')
  })

  it('leaves nothing on the disk when a write breaks off or is refused', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'kept'), 'old')
    expect(await codeOf(world.scope.write(path('/kept'), brokenBody('new'), REPLACE))).toBe('CANCELLED')
    expect(await codeOf(world.scope.write(path('/fresh'), brokenBody('new'), NEW))).toBe('CANCELLED')
    expect(await codeOf(put(world.scope, '/kept', 'x', NEW))).toBe('CONFLICT')
    expect(readdirSync(world.root)).toEqual(['kept'])
    expect(readFileSync(join(world.root, 'kept'), 'utf8')).toBe('old')
  })

  it('refuses a file that the disk has no room for before it creates anything', async () => {
    await using world = await LocalWorld.open()
    const mode = { ...NEW, length: 2 ** 52 }
    expect(await codeOf(world.scope.write(path('/a/b/huge'), brokenBody(''), mode))).toBe('NO_SPACE')
    expect(await codeOf(world.scope.write(path('/huge'), brokenBody(''), mode))).toBe('NO_SPACE')
    expect(readdirSync(world.root)).toEqual([])
  })

  it('lists special files, refuses to open them, and waits for none', async () => {
    await using world = await LocalWorld.open()
    execFileSync('mkfifo', ['-m', '644', join(world.root, 'pipe.txt')])
    symlinkSync('pipe.txt', join(world.root, 'to-pipe'))
    const server = createServer().listen(join(world.root, 'socket'))
    for (const name of ['/pipe.txt', '/to-pipe', '/socket']) {
      expect(await codeOf(world.scope.open(path(name)))).toBe('FORBIDDEN')
      expect(await codeOf(world.scope.checksum(path(name), 'md5'))).toBe('FORBIDDEN')
      expect(await codeOf(put(world.scope, name, 'x', REPLACE))).toBe('FORBIDDEN')
      expect((await world.scope.stat(path(name), viewOf(name))).type).toBe('blob')
    }
    const { items } = await list(world.scope, '/')
    server.close()
    expect(items.find((item) => item.name === 'pipe.txt')).toMatchObject({
      mode: 33_554_852,
      type: 'blob',
      isDir: false,
    })
    expect(items.find((item) => item.name === 'socket')?.type).toBe('blob')
  })

  it('encodes setuid, setgid and sticky bits as Go does', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.root, 'tool'), '')
    mkdirSync(join(world.root, 'shared'))
    chmodSync(join(world.root, 'tool'), 0o6755)
    chmodSync(join(world.root, 'shared'), 0o1777)
    const modes = (await list(world.scope, '/')).items.map(({ mode }) => mode)
    expect(modes).toEqual([2 ** 31 + 2 ** 20 + 0o777, 2 ** 23 + 2 ** 22 + 0o755])
  })

  it('gives times to the nanosecond, without zeros at the end', async () => {
    await using world = await LocalWorld.open()
    const times = {
      a: '2024-01-02T03:05:05Z',
      b: '2026-11-21T06:58:06.43282531Z',
      c: '2001-09-09T01:46:40.000000001Z',
      d: '1965-03-04T05:06:07.5Z',
      e: '2400-02-29T12:00:00.000000009Z',
      f: '2262-04-11T23:47:16.854775808Z',
    }
    for (const [name, time] of Object.entries(times)) execFileSync('touch', ['-d', time, join(world.root, name)])
    const { items } = await list(world.scope, '/')
    expect(Object.fromEntries(items.map(({ name, modified }) => [name, modified]))).toEqual(times)
    expect((await world.scope.stat(path('/b'), viewOf('/b'))).modified).toBe(times.b)
    expect(await namesIn(world.scope, '/', { sorting: { by: 'modified', asc: true } })).toEqual([
      'd',
      'c',
      'a',
      'b',
      'f',
      'e',
    ])
  })

  it('breaks a stream off when the file shrinks meanwhile', async () => {
    await using world = await LocalWorld.open()
    await put(world.scope, '/file', Buffer.alloc(3_000_000))
    await using file = await world.scope.open(path('/file'))
    const stream = file.stream(0, file.size - 1)
    truncateSync(join(world.root, 'file'), 600_000)
    expect(await codeOf(buffer(stream))).toBe('CONFLICT')
  })

  it('never reveals in an error where on the disk it failed', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'folder'))
    writeFileSync(join(world.root, 'file'), '')
    symlinkSync(world.outside, join(world.root, 'out'))
    const works = [
      world.scope.open(path('/none')),
      world.scope.open(path('/file/x')),
      world.scope.open(path('/out')),
      world.scope.listing(path('/none'), viewOf('/none')),
      put(world.scope, '/folder', 'x', REPLACE),
      world.scope.makeFolder(path('/file'), 0o750),
      world.storage.openScope(storagePathOf(path('/none')), 'inside'),
      openLocalStorage(join(world.base, 'none')),
    ]
    for (const result of await Promise.allSettled(works)) {
      expect(result.status).toBe('rejected')
      const reason: unknown = result.status === 'rejected' ? result.reason : undefined
      expect(reason).toBeInstanceOf(FilemgrError)
      expect((reason as FilemgrError).message).not.toMatch(/proc|tmp|filemgr-storage/)
    }
  })

  it('leaves no descriptor open, whatever fails', async () => {
    const before = openDescriptors()
    {
      await using world = await LocalWorld.open()
      await put(world.scope, '/folder/file', 'x')
      symlinkSync('circle', join(world.root, 'circle'))
      symlinkSync('folder/none', join(world.root, 'dangling'))
      symlinkSync(world.outside, join(world.root, 'out'))
      // These start the workers, which keep descriptors of their own.
      await list(world.scope, '/')
      await world.scope.checksum(path('/folder/file'), 'md5')
      await found(world.scope, '/', 'x')
      const resting = openDescriptors()
      for (const name of [
        '/folder',
        '/folder/file',
        '/none',
        '/circle',
        '/dangling',
        '/out',
        '/folder/file/x',
        '/out/x',
      ]) {
        await codeOf(world.scope.stat(path(name), viewOf(name)))
        await codeOf(put(world.scope, name, 'y', REPLACE))
        await codeOf(world.scope.makeFolder(path(name), 0o750))
        await codeOf(list(world.scope, name))
        await codeOf(walked(world.scope, name))
        await codeOf(world.scope.checksum(path(name), 'md5'))
        await codeOf(world.scope.write(path(name), brokenBody('z'), REPLACE))
      }
      await takeOne(await world.scope.listing(path('/'), viewOf('/')))
      await takeOne(world.scope.walk(path('/'), viewOf('/')))
      await expect.poll(openDescriptors).toBeLessThanOrEqual(resting)
    }
    // The pipes of the worker threads close a moment after them.
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before + 4)
  })

  it('lets operations wait for descriptors, and completes all of them', async () => {
    await using world = await LocalWorld.open('inside', { maxDescriptors: 8 })
    const writes = Array.from({ length: 60 }, async (_, i) => await put(world.scope, `/${i}`, 'x'))
    await Promise.all(writes)
    expect(readdirSync(world.root)).toHaveLength(60)
  })

  it('refuses an operation as busy that waits too long for descriptors', async () => {
    await using world = await LocalWorld.open('inside', { maxDescriptors: 8 })
    await put(world.scope, '/file', 'x')
    const held = await Promise.all(Array.from({ length: 4 }, async () => await world.scope.open(path('/file'))))
    expect(await codeOf(world.scope.open(path('/file')))).toBe('BUSY')
    await held[0]?.[Symbol.asyncDispose]()
    await using again = await world.scope.open(path('/file'))
    expect(again.size).toBe(1)
    for (const file of held.slice(1)) await file[Symbol.asyncDispose]()
  })

  it('refuses a root that is missing or no folder', async () => {
    await using world = await LocalWorld.open()
    writeFileSync(join(world.base, 'file'), '')
    expect(await codeOf(openLocalStorage(join(world.base, 'none')))).toBe('NOT_FOUND')
    expect(await codeOf(openLocalStorage(join(world.base, 'file')))).toBe('INVALID_INPUT')
  })
})

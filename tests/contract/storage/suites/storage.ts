import { createHash, randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { timeOfMilliseconds } from '../../../../src/domain/files/file-time.ts'
import { ROOT } from '../../../../src/domain/files/virtual-path.ts'
import { storagePathOf, type Scope } from '../../../../src/storage/storage.ts'
import {
  brokenBody,
  bytesOf,
  codeOf,
  content,
  list,
  namesIn,
  NEW,
  path,
  put,
  REPLACE,
  viewOf,
  walked,
} from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

/** What every storage promises, whatever it keeps the files in. */
export function storageContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`${name}, as any storage`, () => {
    let world: TestStorage
    let scope: Scope

    openForEach(open, (opened) => {
      ;({ world, scope } = opened)
    })

    describe('writing', () => {
      it('stores a file and creates missing parents', async () => {
        const written = await put(scope, '/a/b/new.txt', 'hello')
        expect(written.size).toBe(5)
        expect(await content(scope, '/a/b/new.txt')).toBe('hello')
        expect(await namesIn(scope, '/a')).toEqual(['b'])
      })

      it('keeps a large body of many chunks byte for byte', async () => {
        const body = randomBytes(5_000_000)
        const chunks = Array.from({ length: 77 }, (_, i) => body.subarray(i * 65_000, (i + 1) * 65_000))
        await scope.write(path('/large'), Readable.from(chunks), { ...NEW, length: body.length })
        expect((await bytesOf(scope, '/large', 0, body.length - 1)).equals(body)).toBe(true)
      })

      it('keeps an empty file', async () => {
        await scope.write(path('/empty'), Readable.from([]), { ...NEW, length: 0 })
        expect((await list(scope, '/')).items).toMatchObject([{ name: 'empty', size: 0, type: 'text' }])
      })

      it('refuses a name that is taken unless it may replace', async () => {
        await put(scope, '/a.txt', 'old')
        expect(await codeOf(put(scope, '/a.txt', 'new'))).toBe('CONFLICT')
        expect(await content(scope, '/a.txt')).toBe('old')
        await put(scope, '/a.txt', 'newer', REPLACE)
        expect(await content(scope, '/a.txt')).toBe('newer')
      })

      it('gives saves in the same moment increasing times, so that no two have the same ETag', async () => {
        const soon = timeOfMilliseconds(Date.now() + 500)
        const first = await put(scope, '/a.txt', 'one', { ...NEW, modified: soon })
        const second = await put(scope, '/a.txt', 'two', REPLACE)
        const third = await put(scope, '/a.txt', 'six', REPLACE)
        expect(second.modified).toBeGreaterThan(first.modified)
        expect(third.modified).toBeGreaterThan(second.modified)
      })

      it('gives a save the present time if a user has dated the old file in the future', async () => {
        const future = await put(scope, '/a.txt', 'old', {
          ...NEW,
          modified: timeOfMilliseconds(Date.now() + 3_600_000),
        })
        expect((await put(scope, '/a.txt', 'new', REPLACE)).modified).toBeLessThan(future.modified)
      })

      it('lets one of several writers of a new name win', async () => {
        const writers = ['one', 'two', 'three', 'four'].map(async (text) => await codeOf(put(scope, '/race', text)))
        expect((await Promise.all(writers)).toSorted()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'no error'])
      })

      it('replaces neither a folder with a file nor a file with a folder', async () => {
        await put(scope, '/folder/inner.txt', 'inner')
        await put(scope, '/file', 'file')
        expect(await codeOf(put(scope, '/folder', 'x', REPLACE))).toBe('CONFLICT')
        expect(await codeOf(put(scope, '/', 'x', REPLACE))).toBe('CONFLICT')
        expect(await codeOf(scope.makeFolder(path('/file'), 0o750))).toBe('CONFLICT')
        expect(await content(scope, '/folder/inner.txt')).toBe('inner')
        expect(await content(scope, '/file')).toBe('file')
      })

      it('refuses a path below a file', async () => {
        await put(scope, '/file', 'file')
        expect(await codeOf(put(scope, '/file/x'))).toBe('INVALID_INPUT')
        expect(await codeOf(scope.stat(path('/file/x'), viewOf('/file/x')))).toBe('INVALID_INPUT')
      })

      it('keeps the old file when an overwrite breaks off', async () => {
        await put(scope, '/a.txt', 'old')
        expect(await codeOf(scope.write(path('/a.txt'), brokenBody('new'), REPLACE))).toBe('CANCELLED')
        expect(await content(scope, '/a.txt')).toBe('old')
        expect(await walked(scope, '/')).toEqual(['/a.txt'])
      })

      it('keeps the old file when an overwrite is aborted', async () => {
        await put(scope, '/a.txt', 'old')
        const body = new PassThrough()
        const abort = new AbortController()
        const writing = codeOf(scope.write(path('/a.txt'), body, { ...REPLACE, signal: abort.signal }))
        body.write('new')
        setTimeout(() => abort.abort(), 20)
        expect(await writing).toBe('CANCELLED')
        expect(body.destroyed).toBe(false)
        expect(await content(scope, '/a.txt')).toBe('old')
        expect(await walked(scope, '/')).toEqual(['/a.txt'])
      })

      it('refuses a body that is longer or shorter than announced', async () => {
        expect(await codeOf(put(scope, '/long', '12345', { ...NEW, length: 4 }))).toBe('TOO_LARGE')
        expect(await codeOf(put(scope, '/short', '12345', { ...NEW, length: 6 }))).toBe('INVALID_INPUT')
        expect(await walked(scope, '/')).toEqual([])
      })

      it('creates a folder with its parents, and accepts existing ones', async () => {
        await scope.makeFolder(path('/a/b/c'), 0o750)
        await scope.makeFolder(path('/a/b'), 0o750)
        await scope.makeFolder(path('/'), 0o750)
        expect(await walked(scope, '/')).toEqual(['/a', '/a/b', '/a/b/c'])
        expect((await Array.fromAsync(scope.entries(path('/a'), viewOf('/a')))).flat()).toMatchObject([
          { path: '/a/b', name: 'b', isDir: true },
        ])
        expect(await Array.fromAsync(scope.entries(path('/a/b/c'), viewOf('/a/b/c')))).toEqual([])
      })
    })

    describe('names of its own', () => {
      const own = ['/.filemgr-trash', '/.filemgr-trash/x', '/a/.Zx3_-9aBcDeF.fm-tmp', '/.FILEMGR-TRASH/y']

      it.each(own)('cannot be reached or made: %s', async (name) => {
        expect(await codeOf(put(scope, name, 'x', REPLACE))).toBe('FORBIDDEN')
        expect(await codeOf(scope.makeFolder(path(name), 0o750))).toBe('FORBIDDEN')
        expect(await codeOf(scope.stat(path(name), viewOf(name)))).toBe('NOT_FOUND')
        expect(await codeOf(scope.open(path(name)))).toBe('NOT_FOUND')
        expect(await codeOf(scope.exists(path(name)))).toBe('NOT_FOUND')
        expect(await codeOf(scope.listing(path(name), viewOf(name)))).toBe('NOT_FOUND')
        expect(await codeOf(walked(scope, name))).toBe('NOT_FOUND')
        expect(await codeOf(scope.checksum(path(name), 'md5'))).toBe('NOT_FOUND')
        expect(await codeOf(scope.usage(path(name)))).toBe('NOT_FOUND')
        expect(await codeOf(world.storage.openScope(storagePathOf(path(name)), 'inside'))).toBe('NOT_FOUND')
        expect(await walked(scope, '/')).toEqual([])
      })

      it('do not include similar names of users', async () => {
        await put(scope, '/.fm-tmp')
        await put(scope, '/note.fm-tmp')
        expect(await namesIn(scope, '/')).toEqual(['.fm-tmp', 'note.fm-tmp'])
      })
    })

    describe('reading', () => {
      it('streams any range, both ends included', async () => {
        const body = randomBytes(1_500_000)
        await put(scope, '/file', body)
        const ranges = [
          [0, 0],
          [1, 2],
          [524_287, 524_288],
          [0, body.length - 1],
          [1_499_999, 1_499_999],
        ] as const
        for (const [start, end] of ranges) {
          expect((await bytesOf(scope, '/file', start, end)).equals(body.subarray(start, end + 1))).toBe(true)
        }
      })

      it('sends a range from pooled buffers', async () => {
        const body = randomBytes(3_300_000)
        await put(scope, '/file', body)
        await using file = await scope.open(path('/file'))
        const destination = new PassThrough()
        const received = buffer(destination)
        await file.send(slowly(destination), 5, 3_200_000)
        destination.end()
        expect((await received).equals(body.subarray(5, 3_200_001))).toBe(true)
      })

      it('reads small files whole and the head of any', async () => {
        await put(scope, '/small', 'small')
        await put(scope, '/large', Buffer.alloc(70_000, 'x'))
        await using small = await scope.open(path('/small'))
        await using large = await scope.open(path('/large'))
        expect(Buffer.from((await small.small()) ?? []).toString()).toBe('small')
        expect(await large.small()).toBeUndefined()
        expect((await large.head(512)).length).toBe(512)
        expect(Buffer.from(await small.head(512)).toString()).toBe('small')
      })

      it('continues with the old bytes of a file that is replaced', async () => {
        await put(scope, '/file', 'old bytes')
        await using file = await scope.open(path('/file'))
        await put(scope, '/file', 'new', REPLACE)
        expect((await buffer(file.stream(0, file.size - 1))).toString()).toBe('old bytes')
      })

      it('completes a stream that outlives the file it was opened from', async () => {
        await put(scope, '/file', Buffer.alloc(2_000_000, 'x'))
        const file = await scope.open(path('/file'))
        const stream = file.stream(0, file.size - 1)
        await file[Symbol.asyncDispose]()
        expect((await buffer(stream)).length).toBe(2_000_000)
      })

      it.each(['md5', 'sha1', 'sha256', 'sha512'] as const)('digests with %s', async (algorithm) => {
        const body = randomBytes(2_500_000)
        await put(scope, '/file', body)
        const done = { bytes: 0, files: 0 }
        const advance = (bytes: number, files: number) => {
          done.bytes += bytes
          done.files += files
        }
        const digest = createHash(algorithm).update(body).digest('hex')
        expect(await scope.checksum(path('/file'), algorithm, { advance })).toBe(digest)
        expect(done).toEqual({ bytes: 2_500_000, files: 1 })
      })

      it('finds no disk in a file, and does not watch it', async () => {
        await put(scope, '/file', 'x')
        const listener = { changed: () => undefined, lost: () => undefined }
        expect(await codeOf(scope.watch(path('/file'), listener))).toBe('CONFLICT')
        expect(await scope.usage(path('/file'))).toEqual({ total: 0, used: 0 })
        expect(await codeOf(scope.usage(path('/none')))).toBe('NOT_FOUND')
      })

      it('fails for missing files and for folders', async () => {
        await scope.makeFolder(path('/folder'), 0o750)
        expect(await codeOf(scope.open(path('/none')))).toBe('NOT_FOUND')
        expect(await codeOf(scope.open(path('/none/deeper')))).toBe('NOT_FOUND')
        expect(await codeOf(scope.open(path('/folder')))).toBe('CONFLICT')
        expect(await codeOf(scope.open(path('/')))).toBe('CONFLICT')
        expect(await codeOf(scope.checksum(path('/folder'), 'md5'))).toBe('CONFLICT')
        expect(await scope.exists(path('/none'))).toBe(false)
        expect(await scope.exists(path('/none/deeper'))).toBe(false)
        expect(await scope.exists(path('/folder'))).toBe(true)
        expect(await scope.exists(path('/'))).toBe(true)
      })

      it('finds nothing under the replacement character for bytes that are no text', async () => {
        expect(await codeOf(scope.open(path('/broken\ufffd.txt')))).toBe('NOT_FOUND')
        expect(await codeOf(put(scope, '/half\ud800.txt', 'x'))).toBe('INVALID_INPUT')
        expect(await walked(scope, '/')).toEqual([])
      })
    })

    describe('scopes', () => {
      it('see their folder as the root and nothing beside it', async () => {
        await put(scope, '/alice/mine.txt', 'mine')
        await put(scope, '/alicex/other.txt', 'other')
        using alice = await world.storage.openScope(storagePathOf(path('/alice')), 'inside')
        expect(await walked(alice, '/')).toEqual(['/mine.txt'])
        expect(await codeOf(alice.open(path('/alice/mine.txt')))).toBe('NOT_FOUND')
      })

      it('are known as the entry that they are in the scope around them', async () => {
        await put(scope, '/a/b/c.txt', 'x')
        for (const at of ['/a/b', '/a/b/c.txt'].map(path)) {
          using inner = await scope.within(at)
          expect(await inner.identify(ROOT)).toEqual(await scope.identify(at))
        }
      })

      it('are created with their parents, and not found before', async () => {
        const home = storagePathOf(path('/homes/bob'))
        expect(await codeOf(world.storage.openScope(home, 'inside'))).toBe('NOT_FOUND')
        await world.storage.makeScope(home)
        await world.storage.makeScope(home)
        using bob = await world.storage.openScope(home, 'inside')
        expect(await walked(bob, '/')).toEqual([])
      })

      it('let a listing finish that began before they were closed', async () => {
        await Promise.all(Array.from({ length: 50 }, async (_, i) => await put(scope, `/many/${i}`)))
        const closing = await world.storage.openScope(storagePathOf(path('/many')), 'inside')
        const parts = await closing.listing(path('/'), viewOf('/'))
        closing[Symbol.dispose]()
        const texts = await Array.fromAsync(parts, (part) => Buffer.from(part).toString())
        expect(JSON.parse(texts.join(''))).toMatchObject({ numFiles: 50 })
      })
    })
  })
}

/** A slow destination, which shows when a buffer is used again too early. */
function slowly(destination: PassThrough) {
  const copy = new PassThrough({ highWaterMark: 1 })
  copy._transform = (chunk: Buffer, _encoding, callback) => {
    setImmediate(() => {
      destination.write(Buffer.from(chunk))
      callback()
    })
  }
  return copy
}

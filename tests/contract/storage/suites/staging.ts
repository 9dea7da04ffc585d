import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { PartChecksum, StagedPart } from '../../../../src/domain/uploads/upload.ts'
import type { Scope, WriteMode } from '../../../../src/storage/storage.ts'
import { brokenBody, codeOf, content, namesIn, NEW, path, put, REPLACE } from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

/** Enough that some of it is written before it breaks off. */
const MUCH = 'x'.repeat(600_000)
const SIX: WriteMode = { ...NEW, length: 6 }
const SIX_OVER: WriteMode = { ...REPLACE, length: 6 }

const sha256 = (text: string): PartChecksum => ({
  algorithm: 'sha256',
  digest: createHash('sha256').update(text).digest('base64'),
})

/** What every storage promises of files that come in parts. */
export function stagingContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`${name}, files that come in parts`, () => {
    let scope: Scope

    openForEach(open, (opened) => {
      scope = opened.scope
    })

    async function begin(target: string, mode = SIX): Promise<string> {
      const staged = scope.staging.newName()
      await scope.staging.create(path(target), staged, mode)
      return staged
    }

    const append = async (target: string, staged: string, body: string | Readable, part: Partial<StagedPart> = {}) => {
      const source = typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body
      return await scope.staging.append(path(target), staged, source, { offset: 0, length: 6, ...part })
    }

    const sizeOf = async (target: string, staged: string) => (await scope.staging.state(path(target), staged)).size

    it('are invisible until they are complete and committed', async () => {
      const staged = await begin('/new/folder/a.txt')
      expect(await append('/new/folder/a.txt', staged, 'abc')).toBe(3)
      expect(await namesIn(scope, '/new/folder')).toEqual([])
      expect(await codeOf(scope.open(path(`/new/folder/${staged}`)))).toBe('NOT_FOUND')
      expect(await append('/new/folder/a.txt', staged, 'def', { offset: 3 })).toBe(6)
      const written = await scope.staging.commit(path('/new/folder/a.txt'), staged, SIX)
      expect(written.size).toBe(6)
      expect(await content(scope, '/new/folder/a.txt')).toBe('abcdef')
      expect(await codeOf(scope.staging.state(path('/new/folder/a.txt'), staged))).toBe('NOT_FOUND')
    })

    it('get the requested time when they are committed', async () => {
      const staged = await begin('/a.txt')
      await append('/a.txt', staged, 'abcdef')
      const modified = 1_500_000_000_250_000_000n
      const written = await scope.staging.commit(path('/a.txt'), staged, { ...SIX, modified })
      expect(written.modified).toBe(modified)
    })

    it('create nothing by getting a name', async () => {
      const [one, other] = [scope.staging.newName(), scope.staging.newName()]
      expect(one).not.toBe(other)
      expect(await codeOf(scope.staging.state(path('/a.txt'), one))).toBe('NOT_FOUND')
    })

    it('are refused where the write of a file would be', async () => {
      await put(scope, '/a.txt', 'old')
      await scope.makeFolder(path('/folder'), 0o750)
      expect(await codeOf(begin('/a.txt'))).toBe('CONFLICT')
      expect(await codeOf(begin('/folder', SIX_OVER))).toBe('CONFLICT')
      expect(await codeOf(begin('/a.txt/b.txt', SIX_OVER))).not.toBe('no error')
      expect(await codeOf(begin('/', SIX_OVER))).toBe('CONFLICT')
      expect(await codeOf(begin('/huge.txt', { ...NEW, length: 2 ** 52 }))).toBe('NO_SPACE')
      expect(await namesIn(scope, '/')).toEqual(['folder', 'a.txt'])
    })

    it('continue only at their end', async () => {
      const staged = await begin('/a.txt')
      await append('/a.txt', staged, 'abc')
      for (const offset of [0, 2, 4, 6])
        expect(await codeOf(append('/a.txt', staged, 'x', { offset })), String(offset)).toBe('CONFLICT')
      expect(await sizeOf('/a.txt', staged)).toBe(3)
    })

    it('keep the received bytes of a part that breaks off', async () => {
      const staged = await begin('/a.txt')
      expect(await codeOf(append('/a.txt', staged, brokenBody('ab')))).toBe('CANCELLED')
      const reached = await sizeOf('/a.txt', staged)
      expect(reached).toBeLessThanOrEqual(2)
      await append('/a.txt', staged, 'abcdef'.slice(reached), { offset: reached })
      await scope.staging.commit(path('/a.txt'), staged, SIX)
      expect(await content(scope, '/a.txt')).toBe('abcdef')
    })

    it('keep nothing of a part that is to be dropped, or is longer than announced', async () => {
      const staged = await begin('/a.txt')
      await append('/a.txt', staged, 'a')
      const part = { offset: 1, length: 900_000, remainder: () => 'drop' as const }
      expect(await codeOf(append('/a.txt', staged, brokenBody(MUCH), part))).toBe('CANCELLED')
      expect(await codeOf(append('/a.txt', staged, 'bcdefg', { offset: 1 }))).toBe('TOO_LARGE')
      const tooLong = Readable.from([Buffer.alloc(700_000), Buffer.alloc(700_000)])
      expect(await codeOf(append('/a.txt', staged, tooLong, { offset: 1, length: 900_000 }))).toBe('TOO_LARGE')
      expect(await sizeOf('/a.txt', staged)).toBe(1)
    })

    it('are left as they are when a part fails while another process continues them', async () => {
      const staged = await begin('/a.txt')
      async function* late() {
        yield Buffer.from('ab')
        // The bytes of the other process must stay, although this part has no valid checksum.
        const offset = await sizeOf('/a.txt', staged)
        await append('/a.txt', staged, 'abcd'.slice(offset), { offset })
        yield Buffer.from('x'.repeat(10))
      }
      const part = { checksum: sha256('ab'), remainder: () => 'leave' as const }
      expect(await codeOf(append('/a.txt', staged, Readable.from(late()), part))).not.toBe('no error')
      expect(await sizeOf('/a.txt', staged)).toBe(4)
      await append('/a.txt', staged, 'ef', { offset: 4 })
      await scope.staging.commit(path('/a.txt'), staged, SIX)
      expect(await content(scope, '/a.txt')).toBe('abcdef')
    })

    it('keep nothing of a part that differs from its checksum, or breaks off before it can be compared', async () => {
      const staged = await begin('/a.txt')
      await append('/a.txt', staged, 'ab', { checksum: sha256('ab') })
      const checksum = sha256('cdef')
      expect(await codeOf(append('/a.txt', staged, 'cdxf', { offset: 2, checksum }))).toBe('CHECKSUM_MISMATCH')
      expect(await sizeOf('/a.txt', staged)).toBe(2)
      expect(await codeOf(append('/a.txt', staged, brokenBody(MUCH), { offset: 2, length: 900_000, checksum }))).toBe(
        'CANCELLED',
      )
      expect(await sizeOf('/a.txt', staged)).toBe(2)
      expect(await append('/a.txt', staged, 'cdef', { offset: 2, checksum })).toBe(6)
    })

    it('stop when they are aborted', async () => {
      const staged = await begin('/a.txt')
      const stop = new AbortController()
      const body = new PassThrough()
      const appended = codeOf(append('/a.txt', staged, body, { signal: stop.signal }))
      body.write('abc')
      stop.abort()
      expect(await appended).toBe('CANCELLED')
    })

    it('are cut back to a size, and never made longer by it', async () => {
      const staged = await begin('/a.txt')
      await append('/a.txt', staged, 'abcd')
      await scope.staging.cut(path('/a.txt'), staged, 5)
      expect(await sizeOf('/a.txt', staged)).toBe(4)
      await scope.staging.cut(path('/a.txt'), staged, 2)
      expect(await sizeOf('/a.txt', staged)).toBe(2)
    })

    it('cannot be committed before they are complete', async () => {
      await put(scope, '/a.txt', 'old')
      const staged = await begin('/a.txt', SIX_OVER)
      await append('/a.txt', staged, 'abc')
      expect(await codeOf(scope.staging.commit(path('/a.txt'), staged, SIX_OVER))).toBe('CONFLICT')
      expect(await content(scope, '/a.txt')).toBe('old')
      expect(await sizeOf('/a.txt', staged)).toBe(3)
    })

    it('do not replace a file that was created meanwhile, unless they may', async () => {
      const [free, over] = [await begin('/a.txt'), await begin('/a.txt', SIX_OVER)]
      await put(scope, '/a.txt', 'other')
      await append('/a.txt', free, 'abcdef')
      await append('/a.txt', over, 'ABCDEF')
      expect(await codeOf(scope.staging.commit(path('/a.txt'), free, SIX))).toBe('CONFLICT')
      expect(await content(scope, '/a.txt')).toBe('other')
      await scope.staging.commit(path('/a.txt'), over, SIX_OVER)
      expect(await content(scope, '/a.txt')).toBe('ABCDEF')
      await scope.staging.discard(path('/a.txt'), free)
      expect(await content(scope, '/a.txt')).toBe('ABCDEF')
    })

    it('never replace a folder', async () => {
      const staged = await begin('/a.txt', SIX_OVER)
      await append('/a.txt', staged, 'abcdef')
      await scope.makeFolder(path('/a.txt'), 0o750)
      expect(await codeOf(scope.staging.commit(path('/a.txt'), staged, SIX_OVER))).toBe('CONFLICT')
    })

    it('can be discarded repeatedly, without touching their target', async () => {
      await put(scope, '/a.txt', 'old')
      const staged = await begin('/a.txt', SIX_OVER)
      for (let time = 0; time < 2; time += 1) await scope.staging.discard(path('/a.txt'), staged)
      expect(await content(scope, '/a.txt')).toBe('old')
      expect(await codeOf(append('/a.txt', staged, 'abc'))).toBe('NOT_FOUND')
      await scope.staging.discard(path('/gone/a.txt'), staged)
    })

    it.each(['a.txt', '../a.txt', '.abcdefghijkl.fm-tmp/../a.txt', '', '.abc.fm-tmp', '.filemgr-trash'])(
      'touch no file by a name that is not a staged one: "%s"',
      async (staged) => {
        await put(scope, '/folder/a.txt', 'kept')
        await put(scope, '/a.txt', 'kept')
        const target = path('/folder/b.txt')
        expect(await codeOf(scope.staging.create(target, staged, SIX))).toBe('NOT_FOUND')
        expect(await codeOf(scope.staging.state(target, staged))).toBe('NOT_FOUND')
        expect(await codeOf(append('/folder/b.txt', staged, 'abc'))).toBe('NOT_FOUND')
        expect(await codeOf(scope.staging.cut(target, staged, 0))).toBe('NOT_FOUND')
        expect(await codeOf(scope.staging.commit(target, staged, SIX))).toBe('NOT_FOUND')
        expect(await codeOf(scope.staging.discard(target, staged))).toBe('NOT_FOUND')
        expect([await content(scope, '/a.txt'), await content(scope, '/folder/a.txt')]).toEqual(['kept', 'kept'])
      },
    )
  })
}

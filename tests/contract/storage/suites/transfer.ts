import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../../src/domain/errors.ts'
import { type Scope, type TransferMode } from '../../../../src/storage/storage.ts'
import { bytesOf, codeOf, content, NEW, path, put, REPLACE, viewOf, walked } from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }

/** What every storage promises of copying, moving, removing and its trash. */
export function transferContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`${name}, transferring files`, () => {
    let scope: Scope

    openForEach(open, (opened) => {
      scope = opened.scope
    })

    const copy = async (from: string, to: string, mode = FREE) => await scope.copy(path(from), path(to), mode)
    const rename = async (from: string, to: string, mode = FREE) => await scope.rename(path(from), path(to), mode)
    const move = async (from: string, to: string, mode = FREE) => await scope.move(path(from), path(to), mode)
    const all = async () => await walked(scope, '/')

    async function tree(folder: string) {
      await put(scope, `${folder}/a.txt`, 'a')
      await put(scope, `${folder}/sub/b.txt`, 'b')
      await scope.makeFolder(path(`${folder}/empty`), 0o750)
    }

    describe('copying', () => {
      it('copies a file, with the time of the copying, and creates missing parents', async () => {
        const body = randomBytes(9_000_000)
        const began = BigInt(Date.now())
        await put(scope, '/large', body, { ...NEW, modified: 1_000_000_000_000_000_000n })
        await copy('/large', '/new/deep/large')
        expect((await bytesOf(scope, '/new/deep/large', 0, body.length - 1)).equals(body)).toBe(true)
        await using copied = await scope.open(path('/new/deep/large'))
        // The clock of the disk may be a tick behind.
        expect(copied.modified / 1_000_000n).toBeGreaterThan(began - 1000n)
      })

      it('copies a folder with all that is in it', async () => {
        await tree('/from')
        await copy('/from', '/to')
        expect(await all()).toEqual([
          ...['/from', '/from/a.txt', '/from/empty', '/from/sub', '/from/sub/b.txt'],
          ...['/to', '/to/a.txt', '/to/empty', '/to/sub', '/to/sub/b.txt'],
        ])
        expect(await content(scope, '/to/sub/b.txt')).toBe('b')
      })

      it('calls `admit` before each file, and copies none that it refuses', async () => {
        await put(scope, '/a.txt', '12345')
        const sizes: number[] = []
        const admit = (bytes: number) => void sizes.push(bytes)
        await scope.copy(path('/a.txt'), path('/b.txt'), FREE, { admit })
        const refuse = () => fail('CONFLICT', 'no')
        expect(await codeOf(scope.copy(path('/a.txt'), path('/c.txt'), FREE, { admit: refuse }))).toBe('CONFLICT')
        expect(await codeOf(scope.copy(path('/a.txt'), path('/b.txt'), OVER, { admit: refuse }))).toBe('CONFLICT')
        await put(scope, '/from/a.txt', '123')
        await scope.copy(path('/from'), path('/to'), FREE, { admit })
        expect(await codeOf(scope.copy(path('/from'), path('/none'), FREE, { admit: refuse }))).toBe('CONFLICT')
        expect(sizes).toEqual([5, 3])
        expect(await all()).toEqual(['/a.txt', '/b.txt', '/from', '/from/a.txt', '/to', '/to/a.txt'])
      })

      it('reports its progress', async () => {
        await tree('/from')
        await put(scope, '/from/large', Buffer.alloc(6_000_000, 'x'))
        const done = { bytes: 0, files: 0, steps: 0 }
        const advance = (bytes: number, files: number) => {
          done.bytes += bytes
          done.files += files
          done.steps += 1
        }
        await scope.copy(path('/from'), path('/to'), FREE, { advance })
        expect(done).toMatchObject({ bytes: 6_000_002, files: 3 })
        expect(done.steps).toBeGreaterThan(3)
      })

      it('leaves nothing behind when it is cancelled', async () => {
        await tree('/from')
        const abort = new AbortController()
        const work = { signal: abort.signal, advance: () => abort.abort() }
        expect(await codeOf(scope.copy(path('/from'), path('/to'), FREE, work))).toBe('CANCELLED')
        expect((await all()).filter((name) => !name.startsWith('/from'))).toEqual([])
      })

      it('refuses a name that is taken, unless it may replace a file', async () => {
        await put(scope, '/a', 'new')
        await put(scope, '/b', 'old')
        expect(await codeOf(copy('/a', '/b'))).toBe('CONFLICT')
        expect(await content(scope, '/b')).toBe('old')
        await copy('/a', '/b', OVER)
        expect(await content(scope, '/b')).toBe('new')
        await scope.makeFolder(path('/folder'), 0o750)
        expect(await codeOf(copy('/a', '/folder', OVER))).toBe('CONFLICT')
        expect(await codeOf(copy('/folder', '/a', OVER))).toBe('CONFLICT')
      })

      it('merges a folder into one that is there', async () => {
        await tree('/from')
        await put(scope, '/to/sub/b.txt', 'old')
        await put(scope, '/to/sub/kept.txt', 'kept')
        await copy('/from', '/to', OVER)
        expect((await all()).filter((name) => name.startsWith('/to/'))).toEqual([
          ...['/to/a.txt', '/to/empty', '/to/sub', '/to/sub/b.txt', '/to/sub/kept.txt'],
        ])
        expect(await content(scope, '/to/sub/b.txt')).toBe('b')
        expect(await content(scope, '/to/sub/kept.txt')).toBe('kept')
      })

      it('does not begin to merge when a file and a folder would meet', async () => {
        await tree('/from')
        await put(scope, '/to/sub', 'a file')
        expect(await codeOf(copy('/from', '/to', OVER))).toBe('CONFLICT')
        expect((await all()).filter((name) => name.startsWith('/to'))).toEqual(['/to', '/to/sub'])
        for (const name of ['1', 'm', 'z']) await put(scope, `/files/${name}`, '')
        await scope.makeFolder(path('/folders/m'), 0o750)
        expect(await codeOf(copy('/files', '/folders', OVER))).toBe('CONFLICT')
        expect((await all()).filter((name) => name.startsWith('/folders/'))).toEqual(['/folders/m'])
      })

      it('copies no folder into itself, and nothing to the root', async () => {
        await tree('/from')
        const before = await all()
        for (const name of ['/from', '/from/a.txt'])
          expect(await codeOf(copy(name, '/', OVER))).toMatch(/^FORBIDDEN$|^CONFLICT$/)
        expect(await codeOf(copy('/from', '/from/sub/x'))).toBe('INVALID_INPUT')
        expect(await codeOf(copy('/from', '/from/new/x'))).toBe('INVALID_INPUT')
        expect(await codeOf(copy('/from', '/from', OVER))).not.toBe('no error')
        expect(await all()).toEqual(before)
      })
    })

    describe.each([
      ['renaming', rename],
      ['moving', move],
    ] as const)('%s', (_, moveBy) => {
      it('moves a file and a folder, also into a missing folder', async () => {
        await tree('/from')
        await put(scope, '/file', 'x')
        await moveBy('/from', '/new/to')
        await moveBy('/file', '/new/file')
        expect(await all()).toEqual([
          ...['/new', '/new/file', '/new/to', '/new/to/a.txt', '/new/to/empty', '/new/to/sub', '/new/to/sub/b.txt'],
        ])
      })

      it('replaces a file only when it may', async () => {
        await put(scope, '/a', 'new')
        await put(scope, '/b', 'old')
        expect(await codeOf(moveBy('/a', '/b'))).toBe('CONFLICT')
        expect(await content(scope, '/b')).toBe('old')
        await moveBy('/a', '/b', OVER)
        expect(await content(scope, '/b')).toBe('new')
        expect(await all()).toEqual(['/b'])
      })

      it('replaces neither a folder with a file nor a file with a folder', async () => {
        await put(scope, '/file', 'x')
        await scope.makeFolder(path('/folder'), 0o750)
        expect(await codeOf(moveBy('/file', '/folder', OVER))).toBe('CONFLICT')
        expect(await codeOf(moveBy('/folder', '/file', OVER))).toBe('CONFLICT')
        expect(await all()).toEqual(['/file', '/folder'])
      })

      it('refuses to put a folder into itself', async () => {
        await tree('/from')
        expect(await codeOf(moveBy('/from', '/from/sub/x'))).toBe('INVALID_INPUT')
        expect(await codeOf(moveBy('/from', '/from/new/x'))).toBe('INVALID_INPUT')
        for (const [from, to] of [
          ['/', '/from/x'],
          ['/', '/x'],
          ['/from', '/'],
          ['/from/a.txt', '/'],
        ] as const)
          expect(await codeOf(moveBy(from, to, OVER)), `${from} to ${to}`).toMatch(/^FORBIDDEN$|^CONFLICT$/)
        expect(await all()).not.toContain('/from/new')
      })

      it('fails for a missing source', async () => {
        expect(await codeOf(moveBy('/none', '/to/x'))).toBe('NOT_FOUND')
        expect(await all()).toEqual([])
      })
    })

    it('merges folders by moving, which a rename cannot', async () => {
      await tree('/from')
      await put(scope, '/to/sub/b.txt', 'old')
      await put(scope, '/to/kept.txt', 'kept')
      expect(await rename('/from', '/to', OVER)).toBe(false)
      expect(await content(scope, '/to/sub/b.txt')).toBe('old')
      await move('/from', '/to', OVER)
      expect(await all()).toEqual([...['/to', '/to/a.txt', '/to/empty', '/to/kept.txt', '/to/sub', '/to/sub/b.txt']])
      expect(await content(scope, '/to/sub/b.txt')).toBe('b')
    })

    it('recognizes whether two paths are the same file', async () => {
      await put(scope, '/a', 'same')
      await put(scope, '/b', 'same')
      expect(await scope.isSame(path('/a'), path('/a'))).toBe(true)
      expect(await scope.isSame(path('/a'), path('/b'))).toBe(false)
      expect(await scope.isSame(path('/none'), path('/none'))).toBe(false)
    })

    describe('removing', () => {
      it('removes a file, and a folder with all in it', async () => {
        await tree('/folder')
        await put(scope, '/file', 'x')
        let removed = 0
        await scope.remove(path('/folder'), { advance: (_bytes, files) => (removed += files) })
        expect(removed).toBe(2)
        await scope.remove(path('/file'))
        expect(await all()).toEqual([])
      })

      it('removes one file only if it is accepted as it is', async () => {
        const written = await put(scope, '/file', 'one')
        await put(scope, '/file', 'two', REPLACE)
        const accept = ({ modified }: { readonly modified: bigint }) => {
          if (modified !== written.modified) fail('NOT_FOUND', 'changed')
        }
        expect(await codeOf(scope.removeFile(path('/file'), accept))).toBe('NOT_FOUND')
        expect(await content(scope, '/file')).toBe('two')
        await scope.removeFile(path('/file'), () => undefined)
        expect(await scope.exists(path('/file'))).toBe(false)
        await put(scope, '/folder/in', 'x')
        expect(await codeOf(scope.removeFile(path('/folder'), () => undefined))).toBe('NOT_FOUND')
        expect(await content(scope, '/folder/in')).toBe('x')
      })

      it('removes deeply nested folders', async () => {
        const deep = Array.from({ length: 180 }, () => '/d').join('')
        await put(scope, `${deep}/file`, 'x')
        await scope.makeFolder(path('/d/d/beside'), 0o750)
        await scope.remove(path('/d'))
        expect(await all()).toEqual([])
      })

      it('stops when it is aborted', async () => {
        await tree('/folder')
        const work = { signal: AbortSignal.abort() }
        for (const name of ['/folder', '/folder/a.txt'])
          expect(await codeOf(scope.remove(path(name), work))).toBe('CANCELLED')
        expect(await all()).toEqual(expect.arrayContaining(['/folder/a.txt', '/folder/sub/b.txt']))
      })

      it('refuses the root, and fails for a missing path', async () => {
        expect(await codeOf(scope.remove(path('/')))).toBe('FORBIDDEN')
        expect(await codeOf(scope.remove(path('/none')))).toBe('NOT_FOUND')
      })
    })

    describe('the trash', () => {
      it('hides files and folders, and restores them', async () => {
        await tree('/docs')
        await put(scope, '/file.txt', 'content')
        const folder = await scope.trash.put('1', path('/docs'), 1000)
        const file = await scope.trash.put('1', path('/file.txt'), 2000)
        expect(await all()).toEqual([])
        expect(await scope.trash.list('1')).toEqual([file, folder])
        expect(file).toMatchObject({ path: '/file.txt', isDir: false, size: 7, deleted: 2000 })
        await scope.trash.restore('1', folder.id, path('/back/docs'), { folderMode: 0o750 })
        expect(await content(scope, '/back/docs/sub/b.txt')).toBe('b')
        expect(await scope.trash.list('1')).toEqual([file])
        expect(await scope.trash.restoreAtOnce('1', file.id, path('/back/file.txt'), 0o750)).toBe(true)
        expect(await content(scope, '/back/file.txt')).toBe('content')
        expect(await scope.trash.list('1')).toEqual([])
      })

      it('shows each owner only their own items', async () => {
        await put(scope, '/file.txt', 'content')
        const { id } = await scope.trash.put('1', path('/file.txt'), 1000)
        expect(await scope.trash.list('2')).toEqual([])
        expect(await codeOf(scope.trash.restore('2', id, path('/mine'), { folderMode: 0o750 }))).toBe('NOT_FOUND')
        expect(await codeOf(scope.trash.restoreAtOnce('2', id, path('/mine'), 0o750))).toBe('NOT_FOUND')
        expect(await codeOf(scope.trash.remove('2', id))).toBe('NOT_FOUND')
        expect(await codeOf(scope.trash.remove('2', `../1/${id}`))).toBe('NOT_FOUND')
      })

      it('restores nothing over an existing file', async () => {
        await put(scope, '/a', 'old')
        const { id } = await scope.trash.put('1', path('/a'), 1000)
        await put(scope, '/a', 'new')
        expect(await codeOf(scope.trash.restore('1', id, path('/a'), { folderMode: 0o750 }))).toBe('CONFLICT')
        expect(await codeOf(scope.trash.restoreAtOnce('1', id, path('/a'), 0o750))).toBe('CONFLICT')
        expect(await content(scope, '/a')).toBe('new')
        expect(await scope.trash.list('1')).toHaveLength(1)
      })

      it('still lists an item whose removal was cancelled', async () => {
        await tree('/docs')
        const entry = await scope.trash.put('1', path('/docs'), 1000)
        const abort = new AbortController()
        const work = { signal: abort.signal, advance: () => abort.abort() }
        expect(await codeOf(scope.trash.remove('1', entry.id, work))).toBe('CANCELLED')
        expect(await scope.trash.list('1')).toEqual([entry])
        await scope.trash.remove('1', entry.id)
        expect(await scope.trash.list('1')).toEqual([])
      })

      it('removes one item, or all old ones', async () => {
        for (const name of ['/a', '/b', '/c']) await put(scope, name, name)
        const a = await scope.trash.put('1', path('/a'), 1000)
        await scope.trash.put('2', path('/b'), 2000)
        const c = await scope.trash.put('1', path('/c'), 3000)
        await scope.trash.remove('1', a.id)
        expect(await scope.trash.sweep(3000)).toBe(1)
        expect(await scope.trash.list('1')).toEqual([c])
        expect(await scope.trash.list('2')).toEqual([])
        expect(await codeOf(scope.stat(path('/.filemgr-trash'), viewOf('/')))).toBe('NOT_FOUND')
      })
    })

    describe('a staged folder', () => {
      it('is invisible until its entries are placed, each of them complete', async () => {
        await scope.makeFolder(path('/to'), 0o750)
        {
          await using staged = await scope.stageFolder(path('/to'), { length: 2 })
          await staged.write(path('/docs/sub/a.txt'), Readable.from(['a']), NEW)
          await staged.makeFolder(path('/docs/empty'), 0o750)
          await staged.write(path('/b.txt'), Readable.from(['b']), NEW)
          expect(await all()).toEqual(['/to'])
          await staged.place([{ from: 'docs', to: 'docs' }], FREE)
        }
        expect(await all()).toEqual(['/to', '/to/docs', '/to/docs/empty', '/to/docs/sub', '/to/docs/sub/a.txt'])
        expect(await content(scope, '/to/docs/sub/a.txt')).toBe('a')
      })

      it('merges folders only with replace, and replaces nothing else', async () => {
        await tree('/to')
        await using staged = await scope.stageFolder(path('/'), {})
        await staged.write(path('/to/a.txt'), Readable.from(['new']), NEW)
        await staged.write(path('/to/c.txt'), Readable.from(['c']), NEW)
        expect(await codeOf(staged.place([{ from: 'to', to: 'to' }], FREE))).toBe('CONFLICT')
        expect(await content(scope, '/to/a.txt')).toBe('a')
        await staged.place([{ from: 'to', to: 'to' }], OVER)
        expect(await content(scope, '/to/a.txt')).toBe('new')
        expect(await all()).toEqual(['/to', '/to/a.txt', '/to/c.txt', '/to/empty', '/to/sub', '/to/sub/b.txt'])
      })

      it('accepts no reserved names, and needs an existing folder', async () => {
        await put(scope, '/file')
        await using staged = await scope.stageFolder(path('/'), {})
        const write = async (name: string) => await staged.write(path(name), Readable.from(['x']), NEW)
        expect(await codeOf(write('/.filemgr-trash/1'))).toBe('FORBIDDEN')
        expect(await codeOf(write('/docs/.Zx3_-9aBcDeF.fm-tmp'))).toBe('FORBIDDEN')
        expect(await codeOf(scope.stageFolder(path('/none'), {}))).toBe('NOT_FOUND')
        expect(['CONFLICT', 'INVALID_INPUT']).toContain(await codeOf(scope.stageFolder(path('/file'), {})))
        expect(await all()).toEqual(['/file'])
      })
    })

    it('neither reads nor creates names that the storage keeps for itself', async () => {
      await put(scope, '/a', 'x')
      for (const own of ['/.filemgr-trash/1', '/.Zx3_-9aBcDeF.fm-tmp']) {
        expect(await codeOf(copy('/a', own))).toBe('FORBIDDEN')
        expect(await codeOf(rename('/a', own))).toBe('FORBIDDEN')
        expect(await codeOf(copy(own, '/b'))).toBe('NOT_FOUND')
        expect(await codeOf(rename(own, '/b'))).toBe('NOT_FOUND')
        expect(await codeOf(scope.remove(path(own)))).toBe('NOT_FOUND')
        expect(await codeOf(scope.trash.put('1', path(own), 0))).toBe('NOT_FOUND')
      }
      expect(await all()).toEqual(['/a'])
    })
  })
}

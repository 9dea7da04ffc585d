import { describe, expect, it } from 'vitest'
import { type Scope, type Storage, storagePathOf, type TransferMode } from '../../../../src/storage/storage.ts'
import { codeOf, content, path, put, REPLACE, walked } from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }

/** What every storage promises of copying and moving from one of its scopes to another. */
export function betweenContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`${name}, between two scopes`, () => {
    let scope: Scope
    let storage: Storage

    openForEach(open, (opened) => {
      scope = opened.scope
      storage = opened.world.storage
    })

    async function tree(folder: string) {
      await put(scope, `${folder}/a.txt`, 'a')
      await put(scope, `${folder}/sub/b.txt`, 'b')
      await scope.makeFolder(path(`${folder}/empty`), 0o750)
    }

    /** One folder for each of two scopes, the second of which may be inside the first. */
    async function between(from: string, to: string, work: (own: Scope, into: Scope) => Promise<void>) {
      for (const folder of [from, to]) await scope.makeFolder(path(folder), 0o750)
      using own = await storage.openScope(storagePathOf(path(from)), 'inside')
      using into = await storage.openScope(storagePathOf(path(to)), 'inside', (each) => !each.startsWith('/denied'))
      await work(own, into)
    }

    it('copies and moves files and folders', async () => {
      await between('/ann', '/bob', async (own, into) => {
        for (const name of ['1', '2', '3']) await tree(`/ann/${name}`)
        await put(scope, '/ann/file', 'x')
        await own.copy(path('/1'), path('/new/1'), { ...FREE, into })
        await own.copy(path('/file'), path('/copied'), { ...FREE, into })
        expect(await own.rename(path('/2'), path('/2'), { ...FREE, into })).toBe(true)
        await own.move(path('/3'), path('/3'), { ...FREE, into })
        expect(await own.rename(path('/file'), path('/moved'), { ...FREE, into })).toBe(true)
        expect(await walked(own, '/')).toEqual(['/1', '/1/a.txt', '/1/empty', '/1/sub', '/1/sub/b.txt'])
        const inTree = (top: string) => ['', '/a.txt', '/empty', '/sub', '/sub/b.txt'].map((each) => top + each)
        expect(await walked(into, '/')).toEqual(
          [...['/copied', '/moved', '/new'], ...['/2', '/3', '/new/1'].flatMap(inTree)].toSorted(),
        )
      })
    })

    it('merges folders, replaces only what it may, and keeps to the rules of the target', async () => {
      await between('/ann', '/bob', async (own, into) => {
        await tree('/ann/from')
        await put(scope, '/bob/to/a.txt', 'old')
        await put(scope, '/bob/to/kept', 'kept')
        for (const work of ['copy', 'rename', 'move'] as const) {
          expect(await codeOf(own[work](path('/from'), path('/to'), { ...FREE, into }))).toBe('CONFLICT')
          expect(await codeOf(own[work](path('/from/a.txt'), path('/denied'), { ...FREE, into }))).toBe('FORBIDDEN')
        }
        await own.copy(path('/from'), path('/to'), { ...OVER, into })
        expect(await content(into, '/to/a.txt')).toBe('a')
        await put(scope, '/bob/to/a.txt', 'old', REPLACE)
        expect(await own.rename(path('/from'), path('/to'), { ...OVER, into })).toBe(false)
        await own.move(path('/from'), path('/to'), { ...OVER, into })
        expect(await content(into, '/to/a.txt')).toBe('a')
        expect([await walked(own, '/'), await content(into, '/to/kept')]).toEqual([[], 'kept'])
      })
    })

    it('puts no folder into itself, where one scope is in the other', async () => {
      await between('/ann', '/ann/from/inner', async (own, into) => {
        await put(scope, '/ann/from/a.txt', 'a')
        const before = await walked(scope, '/')
        for (const work of ['copy', 'rename', 'move'] as const)
          expect(await codeOf(own[work](path('/from'), path('/x'), { ...FREE, into }))).toBe('INVALID_INPUT')
        expect(await walked(scope, '/')).toEqual(before)
      })
    })
  })
}

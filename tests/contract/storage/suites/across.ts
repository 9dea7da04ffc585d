import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusingScope } from '../../../../src/storage/read-only-scope.ts'
import {
  type Scope,
  type Storage,
  storagePathOf,
  type TransferMode,
  type Work,
} from '../../../../src/storage/storage.ts'
import { codeOf, content, NEW, path, put, REPLACE, viewOf, walked } from '../view.ts'

export interface TwoStorages extends AsyncDisposable {
  readonly source: Storage
  readonly into: Storage
}

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }
const TREE = ['', '/a.txt', '/empty', '/sub', '/sub/b.txt']

/**
 * What is promised of copying and moving from one storage to another.
 *
 * @param hidden makes a scope such that its driver does not know it
 */
export function acrossContract(
  name: string,
  open: () => Promise<TwoStorages>,
  hidden: (scope: Scope) => Scope = (scope) => scope,
): void {
  describe(`${name}, between two storages`, () => {
    let world: TwoStorages
    let own: Scope
    let into: Scope

    beforeEach(async () => {
      world = await open()
      own = await world.source.openScope(storagePathOf(path('/')), 'inside')
      into = hidden(await world.into.openScope(storagePathOf(path('/')), 'inside'))
    })

    afterEach(async () => {
      own[Symbol.dispose]()
      into[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    })

    async function tree(folder: string) {
      await put(own, `${folder}/a.txt`, 'a')
      await own.write(path(`${folder}/sub/b.txt`), Readable.from([Buffer.from('b')]), { ...NEW, modified: 10n ** 18n })
      await own.makeFolder(path(`${folder}/empty`), 0o750)
    }

    const inTree = (top: string) => TREE.map((each) => top + each)

    it('copies and moves files and folders; what is moved keeps its time', async () => {
      for (const each of ['/1', '/2', '/3']) await tree(each)
      await put(own, '/file', 'x')
      await put(own, '/nothing')
      let advanced = 0
      const advance: Work['advance'] = (bytes) => (advanced += bytes)
      await own.copy(path('/1'), path('/new/1'), { ...FREE, into })
      await own.copy(path('/file'), path('/deep/copied'), { ...FREE, into })
      await own.move(path('/2'), path('/2'), { ...FREE, into }, { advance })
      if (!(await own.rename(path('/3'), path('/3'), { ...FREE, into })))
        await own.move(path('/3'), path('/3'), { ...FREE, into })
      for (const each of ['/file', '/nothing']) await own.move(path(each), path(`/moved${each}`), { ...FREE, into })
      expect(await walked(own, '/')).toEqual(inTree('/1'))
      const folders = ['/deep', '/deep/copied', '/moved', '/moved/file', '/moved/nothing', '/new']
      expect(await walked(into, '/')).toEqual([...folders, ...['/2', '/3', '/new/1'].flatMap(inTree)].toSorted())
      expect([await content(into, '/2/sub/b.txt'), await content(into, '/deep/copied')]).toEqual(['b', 'x'])
      const timeOf = async (file: string) => Date.parse((await into.stat(path(file), viewOf('/'))).modified)
      expect(await timeOf('/2/sub/b.txt')).toBe(1e12)
      expect(await timeOf('/new/1/sub/b.txt')).toBeGreaterThan(1e12)
      expect(advanced).toBeGreaterThanOrEqual(2)
    })

    it('merges folders, and replaces only what it may', async () => {
      await tree('/from')
      await put(into, '/to/a.txt', 'old')
      await put(into, '/to/kept', 'kept')
      for (const work of ['copy', 'move'] as const) {
        expect(await codeOf(own[work](path('/from'), path('/to'), { ...FREE, into }))).toBe('CONFLICT')
        expect(await codeOf(own[work](path('/from/a.txt'), path('/to/a.txt'), { ...FREE, into }))).toBe('CONFLICT')
        expect(await codeOf(own[work](path('/from'), path('/to/kept'), { ...OVER, into }))).toBe('CONFLICT')
        expect(await codeOf(own[work](path('/from/a.txt'), path('/to'), { ...OVER, into }))).toBe('CONFLICT')
        expect(await codeOf(own[work](path('/gone'), path('/new'), { ...FREE, into }))).toBe('NOT_FOUND')
      }
      await own.copy(path('/from'), path('/to'), { ...OVER, into })
      expect(await content(into, '/to/a.txt')).toBe('a')
      await put(into, '/to/a.txt', 'older', REPLACE)
      let admitted = 0
      const admit: Work['admit'] = (bytes, replaced = 0) => (admitted += bytes - replaced)
      await own.move(path('/from'), path('/to'), { ...OVER, into }, { admit })
      expect([await content(into, '/to/a.txt'), await content(into, '/to/kept')]).toEqual(['a', 'kept'])
      expect(await walked(own, '/')).toEqual([])
      expect(admitted).toBeLessThanOrEqual(1)
    })

    it('leaves nothing at the target if it is refused, and everything at the source', async () => {
      await tree('/from')
      const accept = () => {
        throw new Error('refused')
      }
      for (const work of ['copy', 'move'] as const) {
        await expect(own[work](path('/from'), path('/to'), { ...FREE, into }, { accept })).rejects.toThrow('refused')
        expect(await walked(into, '/')).toEqual([])
        expect(await walked(own, '/')).toEqual(inTree('/from'))
      }
    })

    it('keeps what has changed since it was copied', async () => {
      await tree('/from')
      const leftOut: string[] = []
      let isChanged = false
      const work: Work = {
        leftOut: (file, reason) => void leftOut.push(`${file.split('/').at(-1)} ${reason}`),
        placing: async () => {
          if (isChanged) return
          isChanged = true
          await put(own, '/from/sub/b.txt', 'changed', REPLACE)
        },
      }
      await put(into, '/to/kept', '')
      await own.move(path('/from'), path('/to'), { ...OVER, into }, work)
      // A rename moves what is there by then.
      if (leftOut.length > 0) {
        expect(leftOut).toEqual(['b.txt changed'])
        expect(await content(own, '/from/sub/b.txt')).toBe('changed')
        expect(await content(into, '/to/sub/b.txt')).toBe('b')
      } else expect(await content(into, '/to/sub/b.txt')).toBe('changed')
      expect(await own.exists(path('/from/a.txt'))).toBe(false)
    })

    it('goes on with what an earlier run has done', async () => {
      await tree('/from')
      await put(own, '/file', 'x')
      const since = Date.now() - 1000
      const moves: (readonly [string, string])[] = [
        ['/from', '/to'],
        ['/file', '/moved'],
      ]
      for (const [from, to] of moves) {
        const noted: { placed?: Awaited<ReturnType<Scope['entryAt']>>; merging?: true; staged?: string } = {}
        const killed = () => Promise.reject(new Error('killed'))
        const work: Work = {
          staging: async (staged) => void (noted.staged = staged),
          placing: async (placed) => {
            if (placed === undefined) noted.merging = true
            else noted.placed = placed
            // The target is complete, and nothing of the source is removed.
            if (await into.exists(path(to))) await killed()
          },
        }
        const moving = own.move(path(from), path(to), { ...FREE, into }, work)
        await moving.catch((error: unknown) => expect(error).toMatchObject({ message: 'killed' }))
        const before = await walked(into, '/')
        if (await own.exists(path(from)))
          await own.move(path(from), path(to), { ...FREE, into, earlier: { since, ...noted } })
        expect(await walked(into, '/')).toEqual(before)
      }
      expect(await walked(own, '/')).toEqual([])
      expect(await walked(into, '/')).toEqual(['/moved', ...inTree('/to')])
    })

    it('copies out of what is read-only, and changes nothing in it', async () => {
      await tree('/from')
      await put(into, '/here', 'x')
      const sealed = (scope: Scope) => refusingScope(scope, () => 'the root "x" is read-only')
      await sealed(own).copy(path('/from'), path('/to'), { ...FREE, into })
      expect(await walked(into, '/to')).toEqual(inTree('/to').slice(1))
      for (const work of ['copy', 'move'] as const)
        expect(await codeOf(own[work](path('/from'), path('/2'), { ...FREE, into: sealed(into) }))).toBe('FORBIDDEN')
      expect(await codeOf(sealed(own).move(path('/from'), path('/2'), { ...FREE, into }))).toBe('FORBIDDEN')
      expect(await into.exists(path('/2'))).toBe(false)
      expect(await walked(own, '/')).toEqual(inTree('/from'))
    })

    it('removes a folder only if nothing is in it', async () => {
      await tree('/from')
      expect(await own.removeEmpty(path('/from'), () => undefined)).toBe(false)
      expect(await own.removeEmpty(path('/from/empty'), () => undefined)).toBe(true)
      expect(await codeOf(own.removeEmpty(path('/from/a.txt'), () => undefined))).toMatch(/NOT_FOUND|no error/)
      expect(await walked(own, '/')).toEqual(['/from', '/from/a.txt', '/from/sub', '/from/sub/b.txt'])
    })
  })
}

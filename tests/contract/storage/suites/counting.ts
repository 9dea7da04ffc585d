import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../../src/domain/errors.ts'
import type { Scope, TransferMode, Work } from '../../../../src/storage/storage.ts'
import { codeOf, NEW, path, put, walked } from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }

/** What every storage promises for quotas: to measure, and to announce what it adds. */
export function countingContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`${name}, counting files and folders`, () => {
    let scope: Scope

    openForEach(open, (opened) => {
      scope = opened.scope
    })

    async function tree(folder: string) {
      await put(scope, `${folder}/a.txt`, 'a')
      await put(scope, `${folder}/sub/b.txt`, 'b')
      await scope.makeFolder(path(`${folder}/empty`), 0o750)
    }

    describe('measuring', () => {
      it('counts all files and folders beneath a path once, with those in the trash, without what is being written', async () => {
        await put(scope, '/docs/a.txt', '12345')
        await put(scope, '/docs/sub/.hidden', '123')
        await put(scope, '/gone/b.txt', '1234567')
        await put(scope, '/gone.txt', '12')
        await scope.makeFolder(path('/empty'), 0o750)
        const all = { bytes: 17, files: 8 }
        expect(await scope.measure(path('/'))).toEqual(all)
        for (const name of ['/gone', '/gone.txt']) await scope.trash.put('1', path(name), 1000)
        const staged = scope.staging.newName()
        const mode = { replace: false, fileMode: 0o640, folderMode: 0o750, length: 9 }
        await scope.staging.create(path('/docs/c.txt'), staged, mode)
        expect(await scope.measure(path('/'))).toEqual(all)
        expect(await scope.measure(path('/docs'))).toEqual({ bytes: 8, files: 3 })
        expect(await scope.measure(path('/docs/a.txt'))).toEqual({ bytes: 5, files: 1 })
        await scope.staging.discard(path('/docs/c.txt'), staged)
      })

      it('fails for a missing path', async () => {
        expect(await codeOf(scope.measure(path('/none')))).toBe('NOT_FOUND')
      })
    })

    describe('new folders', () => {
      /** How many were announced, and how many entries there are more. */
      async function madeBy(task: (work: Pick<Work, 'admitFolder'>) => Promise<unknown>): Promise<[number, number]> {
        const entries = async () => (await scope.measure(path('/'))).files
        const before = await entries()
        let announced = 0
        await task({ admitFolder: (count) => void (announced += count) })
        return [announced, (await entries()) - before]
      }

      it('are announced one by one, wherever they are made', async () => {
        await tree('/from')
        const stream = () => Readable.from([Buffer.from('x')])
        expect(await madeBy(async (work) => await scope.makeFolder(path('/a/b/c'), 0o750, work))).toEqual([3, 3])
        expect(await madeBy(async (work) => await scope.makeFolder(path('/a/b/c'), 0o750, work))).toEqual([0, 0])
        expect(await madeBy(async (work) => await scope.write(path('/a/w/x'), stream(), { ...NEW, ...work }))).toEqual([
          1, 2,
        ])
        const staged = scope.staging.newName()
        const create = async (work: object) => {
          await scope.staging.create(path('/u/v/x'), staged, { ...NEW, length: 1, ...work })
        }
        expect(await madeBy(create)).toEqual([2, 2])
        await scope.staging.discard(path('/u/v/x'), staged)
        expect(await madeBy(async (work) => await scope.copy(path('/from'), path('/n/to'), FREE, work))).toEqual([4, 6])
        await scope.makeFolder(path('/from/sub/more'), 0o750)
        expect(await madeBy(async (work) => await scope.copy(path('/from'), path('/n/to'), OVER, work))).toEqual([1, 1])
      })

      it('are announced on the way to what is moved or restored, but not those that are moved', async () => {
        await tree('/from')
        const moves = [
          async (work: object) => expect(await scope.rename(path('/from'), path('/a/b/c'), FREE, work)).toBe(true),
          async (work: object) => await scope.move(path('/a/b/c'), path('/d/e/f'), FREE, work),
        ]
        for (const move of moves) expect(await madeBy(move)).toEqual([2, 2])
        for (const isAtOnce of [true, false]) {
          const { id } = await scope.trash.put('1', path('/d/e/f'), 1000)
          await scope.remove(path('/d'))
          const restore = async (work: object) => {
            if (isAtOnce) await scope.trash.restoreAtOnce('1', id, path('/d/e/f'), 0o750, work)
            else await scope.trash.restore('1', id, path('/d/e/f'), FREE, work)
          }
          expect(await madeBy(restore)).toEqual([2, 2])
        }
      })

      it('are not made if they are refused', async () => {
        await tree('/from')
        const work = { admitFolder: () => fail('CONFLICT', 'no') }
        const refused = [
          async () => await scope.makeFolder(path('/a'), 0o750, work),
          async () => await scope.write(path('/b/x'), Readable.from([]), { ...NEW, ...work }),
          async () => await scope.copy(path('/from'), path('/c'), FREE, work),
          async () => await scope.rename(path('/from'), path('/d/e'), FREE, work),
          async () => await scope.move(path('/from'), path('/f/g'), FREE, work),
        ]
        for (const each of refused) expect(await codeOf(each())).toBe('CONFLICT')
        expect((await walked(scope, '/')).filter((name) => !name.startsWith('/from'))).toEqual([])
      })
    })
  })
}

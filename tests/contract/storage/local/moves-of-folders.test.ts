import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TransferMode, Work } from '../../../../src/storage/storage.ts'
import { TwoDisks } from '../two-disks.ts'
import { codeOf, path, put } from '../view.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const FILES = ['a', 'b', 'sub/c']

/** Calls `act` when everything is copied and nothing is in its place yet. */
const held = (disks: TwoDisks, act: () => Promise<unknown>): Work => ({
  leftOut: (name) => disks.leftOut.push(name),
  placing: async () => {
    await act()
  },
})

const OF_THE_ENTRY = 'this is being moved: try again when that is done'
const IN_IT = 'this is in a folder that is being moved: try again when that is done'

/** What takes something away from the folder `from`, or the folder itself. */
const TAKERS: Record<string, readonly [message: string, take: (disks: TwoDisks) => Promise<unknown>]> = {
  'a file in it is renamed to another folder': [
    IN_IT,
    async ({ scope }) => await scope.rename(path('/from/a'), path('/a'), FREE),
  ],
  'a file in it is renamed within it': [
    IN_IT,
    async ({ scope }) => await scope.rename(path('/from/sub/c'), path('/from/d'), FREE),
  ],
  'a file in it is renamed over another one': [
    IN_IT,
    async ({ scope }) => await scope.rename(path('/from/a'), path('/from/b'), { ...FREE, replace: true }),
  ],
  'a folder in it is renamed': [
    IN_IT,
    async ({ scope }) => await scope.rename(path('/from/sub'), path('/from/other'), FREE),
  ],
  'it is renamed': [OF_THE_ENTRY, async ({ scope }) => await scope.rename(path('/from'), path('/to'), FREE)],
  'it is removed': [OF_THE_ENTRY, async ({ scope }) => await scope.remove(path('/from'))],
  'a file in it is removed': [IN_IT, async ({ scope }) => await scope.remove(path('/from/sub/c'))],
  'a file in it is removed if nothing has changed it': [
    IN_IT,
    async ({ scope }) => await scope.removeFile(path('/from/a'), () => undefined),
  ],
  'a folder in it is removed': [IN_IT, async ({ scope }) => await scope.remove(path('/from/sub'))],
  'a file in it is trashed': [IN_IT, async ({ scope }) => await scope.trash.putAtOnce('1', path('/from/a'), 0)],
  'a folder in it is trashed by a job': [IN_IT, async ({ scope }) => await scope.trash.put('1', path('/from/sub'), 0)],
  'a folder in it is moved to the other disk': [
    IN_IT,
    async ({ scope }) => await scope.move(path('/from/sub'), path('/disk/sub'), FREE),
  ],
  'a file in it is renamed in a scope of its own': [
    IN_IT,
    async (disks) => {
      using scope = await disks.scopeIn(path('/from/sub'))
      await scope.rename(path('/c'), path('/d'), FREE)
    },
  ],
}

describe('while a folder is moved to another disk', () => {
  it.each(Object.entries(TAKERS))(
    'and %s, that is refused, and each file is there once',
    async (_, [message, take]) => {
      await using disks = await TwoDisks.open()
      let refusal: unknown
      const work = held(disks, async () => {
        refusal = await take(disks).catch((error: unknown) => error)
      })
      await disks.scope.move(path('/from'), path('/disk/to'), FREE, work)
      expect(refusal).toMatchObject({ code: 'CONFLICT', message })
      const there = disks.files('.').filter((name) => !name.startsWith('.'))
      expect([there, disks.leftOut]).toEqual([FILES.map((name) => `disk/to/${name}`), []])
      // The same can be moved and renamed again.
      await disks.scope.rename(path('/disk/to/a'), path('/disk/to/z'), FREE)
      await disks.scope.move(path('/disk/to'), path('/from'), FREE)
      expect(disks.files('from')).toEqual(['b', 'sub/c', 'z'])
    },
  )

  it('and something is deleted from a trash in it, that is refused, and the trash arrives', async () => {
    await using disks = await TwoDisks.open()
    using scope = await disks.scopeIn(path('/from'))
    const { id } = await scope.trash.put('1', path('/a'), 0)
    const codes: string[] = []
    const work = held(disks, async () => {
      codes.push(await codeOf(scope.trash.remove('1', id)))
      codes.push(await codeOf(scope.trash.restoreAtOnce('1', id, path('/back'), 0o750)))
    })
    await disks.scope.move(path('/from'), path('/disk/to'), FREE, work)
    expect(codes).toEqual(['CONFLICT', 'CONFLICT'])
    using moved = await disks.scopeIn(path('/disk/to'))
    expect(await moved.trash.list('1')).toMatchObject([{ id }])
  })

  it('and the folder around is renamed or something is saved into it, that is done, and what was copied moves', async () => {
    await using disks = await TwoDisks.open()
    mkdirSync(disks.at('around/in'), { recursive: true })
    for (const name of ['x', 'y']) writeFileSync(disks.at(`around/in/${name}`), 'old')
    const work = held(disks, async () => {
      await disks.scope.rename(path('/around'), path('/renamed'), FREE)
      await put(disks.scope, '/renamed/in/new', 'new')
      await disks.scope.rename(path('/from/a'), path('/renamed/in/a'), FREE)
      expect(await codeOf(disks.scope.rename(path('/renamed/in/x'), path('/x'), FREE))).toBe('CONFLICT')
    })
    await disks.scope.move(path('/around/in'), path('/disk/in'), FREE, work)
    expect([disks.files('disk/in'), disks.files('renamed')]).toEqual([
      ['x', 'y'],
      ['in/a', 'in/new'],
    ])
    expect(disks.leftOut.toSorted()).toEqual(['a', 'new'])
  })

  it('and the folder around is moved by copying too, that leaves it where it is, and each file is there once', async () => {
    await using disks = await TwoDisks.open()
    mkdirSync(disks.at('around/with'), { recursive: true })
    writeFileSync(disks.at('around/with/x'), 'old')
    writeFileSync(disks.at('around/y'), 'old')
    await disks.scope.rename(path('/from'), path('/around/with/in'), FREE)
    const left: string[][] = []
    const work = held(disks, async () => {
      const leftOut = (name: string, reason: string) => left.push([name, reason])
      await disks.scope.move(path('/around'), path('/disk/around'), FREE, { leftOut })
      expect(disks.files('around')).toEqual(FILES.map((name) => `with/in/${name}`))
    })
    await disks.scope.move(path('/around/with/in'), path('/disk/in'), FREE, work)
    expect(left).toEqual([['with', 'inUse']])
    expect(disks.files('disk')).toEqual(['around/with/x', 'around/y', ...FILES.map((name) => `in/${name}`)])
    expect([disks.files('around'), disks.leftOut]).toEqual([[], []])
    expect(readdirSync(disks.at('around/with'))).toEqual([])
  })

  it('and the move fails, everything in it can be renamed again', async () => {
    await using disks = await TwoDisks.open()
    const failed = disks.scope.move(path('/from'), path('/disk/to'), FREE, {
      placing: async () => await Promise.reject(new Error('failed')),
    })
    await expect(failed).rejects.toThrow('failed')
    await disks.scope.rename(path('/from/a'), path('/from/d'), FREE)
    expect([existsSync(disks.at('disk/to')), disks.files('from')]).toEqual([false, ['b', 'd', 'sub/c']])
  })
})

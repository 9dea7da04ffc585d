import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isStagedName, StagedNames } from '../../../../src/storage/reserved-names.ts'
import type { TransferMode, Work } from '../../../../src/storage/storage.ts'
import { TwoDisks } from '../two-disks.ts'
import { path } from '../view.ts'

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
const OVER: TransferMode = { ...FREE, replace: true }
const MANY = 700
const SOME = 150

const open = async () => await TwoDisks.open({ staged: new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' }) })

/** Fills a folder with files whose content says where they began. */
function fill(disks: TwoDisks, folder: string, count: number): string[] {
  mkdirSync(disks.at(folder), { recursive: true })
  const contents = Array.from({ length: count }, (_, index) => `${folder}/${index}`)
  contents.forEach((content, index) => writeFileSync(join(disks.at(folder), String(index)), content))
  return contents
}

/** The contents of all files under names that users or the trash show, and the hidden names that are left. */
function found(disks: TwoDisks): { contents: Set<string>; hidden: string[] } {
  const result = { contents: new Set<string>(), hidden: [] as string[] }
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const at = join(folder, entry.name)
      if (isStagedName(entry.name)) result.hidden.push(at)
      else if (entry.isDirectory()) visit(at)
      else if (entry.isFile()) result.contents.add(readFileSync(at, 'utf8'))
    }
  }
  visit(disks.at(''))
  visit(disks.at('disk/'))
  return result
}

interface Ended {
  readonly error: unknown
  readonly leftOut: readonly string[]
}

/** Starts the second work once the first has copied or removed this many files; resolves when both have ended. */
async function beside(
  count: number,
  first: (work: Work) => Promise<unknown>,
  second: (work: Work) => Promise<unknown>,
): Promise<[Ended, Ended]> {
  const run = async (act: (work: Work) => Promise<unknown>, advance?: Work['advance']): Promise<Ended> => {
    const leftOut: string[] = []
    const work = { advance, leftOut: (name: string) => leftOut.push(name) }
    const error = await act(work).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    return { error, leftOut }
  }
  const started = Promise.withResolvers<Ended>()
  let done = 0
  const ended = await run(first, (_, files) => {
    const before = done
    done += files
    if (before < count && done >= count) started.resolve(run(second))
  })
  return [ended, await started.promise]
}

/** What takes a folder away, by name: each is given the folder and returns when it is gone, or as much of it as could go. */
const TAKERS: Record<string, (disks: TwoDisks, folder: string, work: Work) => Promise<unknown>> = {
  'moved to another disk': async ({ scope }, folder, work) =>
    await scope.move(path(`/${folder}`), path('/moved'), FREE, work),
  'merged into a folder of another disk': async ({ scope }, folder, work) =>
    await scope.move(path(`/${folder}`), path('/other'), OVER, work),
  'merged into a folder of the same disk': async ({ scope }, folder, work) =>
    await scope.move(path(`/${folder}`), path('/disk/same'), OVER, work),
  'moved to the trash of another disk': async ({ scope }, folder, work) =>
    await scope.trash.put('1', path(`/${folder}`), 1000, work),
  deleted: async ({ scope }, folder, work) => await scope.remove(path(`/${folder}`), work),
}

async function prepared(): Promise<TwoDisks> {
  const disks = await open()
  fill(disks, 'other', 1)
  fill(disks, 'disk/same', 1)
  return disks
}

describe.each(Object.entries(TAKERS))('a folder that is %s while files are moved into it', (name, take) => {
  it.each([1, 433])('loses none of them, if %i of them have arrived', async (count) => {
    await using disks = await prepared()
    const contents = fill(disks, 'many', MANY)
    fill(disks, 'disk/to', 3)
    const [mover, taker] = await beside(
      count,
      async (work) => await disks.scope.move(path('/many'), path('/disk/to/in'), FREE, work),
      async (work) => await take(disks, 'disk/to', work),
    )
    const { contents: there, hidden } = found(disks)
    expect(contents.filter((content) => !there.has(content))).toEqual([])
    expect(hidden).toEqual([])
    // What takes the folder away leaves it if something is being moved into it, or comes after that. A deletion ends the move.
    if (name === 'deleted' && mover.error !== undefined) {
      expect(mover.error).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('removed meanwhile') as string,
      })
      expect(readdirSync(disks.at('many'))).toHaveLength(MANY)
      // The last moment of the move may be that of the deletion, which then says that it must be repeated.
      if (taker.error !== undefined) expect(taker.error).toMatchObject({ code: 'CONFLICT' })
    } else {
      expect([mover.error, mover.leftOut]).toEqual([undefined, []])
      const isLeft = existsSync(disks.at('disk/to'))
      if (isLeft) expect(readdirSync(disks.at('disk/to/in'))).toHaveLength(MANY)
      expect(taker.error !== undefined || taker.leftOut.length > 0).toBe(isLeft)
    }
  })

  it.each([1, 100])('loses none of them, if %i files have left it', async (count) => {
    await using disks = await prepared()
    const contents = fill(disks, 'many', SOME)
    const own = fill(disks, 'disk/to', SOME)
    const [taker, mover] = await beside(
      count,
      async (work) => await take(disks, 'disk/to', work),
      async (work) => await disks.scope.move(path('/many'), path('/disk/to/in'), FREE, work),
    )
    const { contents: there, hidden } = found(disks)
    expect(contents.filter((content) => !there.has(content))).toEqual([])
    expect(hidden).toEqual([])
    if (name !== 'deleted') expect(own.filter((content) => !there.has(content))).toEqual([])
    // Either everything arrived, or the mover has said that it did not.
    if (mover.error === undefined) expect(existsSync(disks.at('many'))).toBe(mover.leftOut.length > 0)
    else expect(readdirSync(disks.at('many'))).toHaveLength(SOME)
    if (existsSync(disks.at('disk/to'))) expect(taker.error ?? taker.leftOut[0]).toBeDefined()
  })

  it('loses none of them, if it has a folder into which they are merged', async () => {
    await using disks = await prepared()
    const contents = fill(disks, 'many', SOME)
    fill(disks, 'disk/to/in', 3)
    const [mover] = await beside(
      70,
      async (work) => await disks.scope.move(path('/many'), path('/disk/to/in'), OVER, work),
      async (work) => await take(disks, 'disk/to', work),
    )
    const { contents: there, hidden } = found(disks)
    // A deletion may take what has already been moved into the folder, but nothing else.
    if (name !== 'deleted') expect(contents.filter((content) => !there.has(content))).toEqual([])
    else if (mover.error !== undefined) expect(readdirSync(disks.at('many'))).toHaveLength(SOME)
    expect(hidden).toEqual([])
  })
})

describe('a move to another disk', () => {
  it('keeps the original of what others have removed from the copy', async () => {
    await using disks = await open()
    const work = disks.when(3, () => {
      const [half = ''] = readdirSync(disks.at('disk/'))
      rmSync(disks.at(`disk/${half}/a`))
      rmSync(disks.at(`disk/${half}/sub`), { recursive: true })
      writeFileSync(disks.at(`disk/${half}/b`), 'ol')
    })
    await disks.scope.move(path('/from'), path('/disk/to'), FREE, work)
    expect(disks.files('from')).toEqual(['a', 'b', 'sub/c'])
    expect(disks.leftOut.toSorted()).toEqual(['a', 'b', 'sub'])
  })

  it('and one back, which both continue what was interrupted, leave each file at one end', async () => {
    await using disks = await open()
    const contents = fill(disks, 'many', MANY)
    mkdirSync(disks.at('disk/many'))
    const time = new Date(1_500_000_000_000)
    contents.forEach((content, index) => {
      writeFileSync(disks.at(`disk/many/${index}`), content)
      for (const folder of ['many', 'disk/many']) utimesSync(disks.at(`${folder}/${index}`), time, time)
    })
    const mode: TransferMode = { ...OVER, earlier: { since: 0, merging: true } }
    const there = disks.scope.move(path('/many'), path('/disk/many'), mode)
    await Promise.all([there, disks.scope.move(path('/disk/many'), path('/many'), mode)])
    const left = found(disks).contents
    expect(contents.filter((content) => !left.has(content))).toEqual([])
  })

  it('leaves staged files of running operations and of unfinished uploads, and takes those of killed runs along', async () => {
    const killed = new StagedNames({ installation: 'aaaaaaaa', run: 'cccccccc' })
    const other = new StagedNames({ installation: 'dddddddd', run: 'dddddddd' })
    const own = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
    const names = {
      own: own.next(),
      killed: killed.next(),
      upload: killed.next(),
      other: other.next(),
      none: new StagedNames().next(),
    }
    own.neededByUploads = async () => new Set([names.upload])
    await using disks = await TwoDisks.open({ staged: own })
    for (const name of Object.values(names)) writeFileSync(disks.at(`from/sub/${name}`), 'half')
    const left = own.next()
    own.leaveBehind(left)
    writeFileSync(disks.at(`from/sub/${left}`), 'half')
    await disks.scope.move(
      path('/from'),
      path('/disk/to'),
      FREE,
      disks.when(0, () => undefined),
    )
    const { killed: dead, ...living } = names
    expect(disks.files('from')).toEqual(
      Object.values(living)
        .map((name) => `sub/${name}`)
        .toSorted(),
    )
    expect(disks.files('disk/to').toSorted()).toEqual(['a', 'b', 'sub/c', `sub/${dead}`, `sub/${left}`].toSorted())
    expect(disks.leftOut).toEqual(['sub'])
  })

  it('of a folder with a trash leaves an entry that is still arriving there, which the trash then lists', async () => {
    await using disks = await open()
    const work = disks.when(3, () => {
      const [id = ''] = readdirSync(disks.at('.filemgr-trash/1'))
      rmSync(disks.at(`.filemgr-trash/1/${id}/record.json`))
    })
    await disks.scope.move(path('/from'), path('/disk/from'), FREE)
    const { id } = await disks.scope.trash.put('1', path('/disk/from'), 1000, work)
    expect(await disks.scope.trash.list('1')).toMatchObject([{ id, path: '/disk/from' }])
  })
})

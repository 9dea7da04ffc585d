import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { beginStaging } from '../../../../src/context/staging-run.ts'
import { STOPPING } from '../../../../src/platform/limits/job-queue.ts'
import { silentLogger } from '../../../../src/platform/logging/logger.ts'
import { openLocalStorage } from '../../../../src/storage/local/local-storage.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import type { Storage, TransferMode } from '../../../../src/storage/storage.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'
import { LocalWorld } from '../local-world.ts'
import { codeOf, NEW, path, put } from '../view.ts'

const DAY = 24 * 60 * 60 * 1000
const FREE: TransferMode = { replace: false, folderMode: 0o750 }

/** A data folder. Each `begin()` is the run of a daemon, which counts as killed unless it is disposed of. */
async function installation() {
  const folder = await tempFolder()
  const begin = async () => await beginStaging(folder.path, silentLogger)
  return Object.assign(folder, { begin, hasFlag: () => existsSync(folder.at('staging.run')) })
}

/** Leaves a staged file and a staged tree in a folder, as a killed daemon does. */
function leave(root: string, folder: string, names: StagedNames): string[] {
  const [file, tree] = [join(folder, names.next()), join(folder, names.next())]
  mkdirSync(join(root, tree, 'sub'), { recursive: true })
  for (const name of [file, join(tree, 'a'), join(tree, 'sub/b')]) writeFileSync(join(root, name), 'half')
  return [file, tree]
}

const sweep = async (storage: Storage) => (await storage.sweep()).removed

describe('a sweep after a run that was killed', () => {
  it('takes a tree away at once, so that a run that lives after all cannot put half of it in place', async () => {
    await using data = await installation()
    const killed = await data.begin()
    const next = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: next.names })
    const tree = join(world.root, killed.names.next())
    const placed = join(world.root, 'placed')
    mkdirSync(tree)
    for (let index = 0; index < 2000; index += 1) writeFileSync(join(tree, String(index)), 'whole')
    const swept = sweep(world.storage)
    for (;;) {
      const left = await readdir(tree).catch(() => undefined)
      if (left === undefined) break
      if (left.length < 2000) await rename(tree, placed)
    }
    expect(await swept).toBe(1)
    expect(readdirSync(world.root)).toEqual([])
  })

  it('removes its files and trees wherever they are by now, and nothing else', async () => {
    await using data = await installation()
    const killed = await data.begin()
    const next = await data.begin()
    const clock = movableClock(Date.now())
    await using world = await LocalWorld.open('inside', { staged: next.names, clock })
    const { root, outside } = world
    const gone = ['', 'new name of/its folder', '.filemgr-trash/1/aaaabbbbccccdddd/content'].flatMap((folder) =>
      leave(root, folder, killed.names),
    )
    const upload = killed.names.next()
    writeFileSync(join(root, upload), 'goes on')
    next.names.neededByUploads = async () => new Set([upload])
    const other = new StagedNames({ installation: 'deadbeef', run: 'deadbeef' })
    const kept = [other, next.names, new StagedNames()].flatMap((names) => leave(root, 'folder', names))
    symlinkSync(outside, join(root, 'link'))
    leave(outside, '', killed.names)
    expect(await sweep(world.storage)).toBe(gone.length)
    const present = (names: string[]) => names.filter((name) => existsSync(join(root, name)))
    expect(present(gone)).toEqual([])
    expect(present([upload, ...kept])).toEqual([upload, ...kept])
    expect(readdirSync(outside)).toHaveLength(2)
    expect(next.names.isClean).toBe(true)
  })

  it('removes staged files of an unknown run once they are unchanged for a day', async () => {
    await using data = await installation()
    const clock = movableClock(Date.now())
    await data.begin()
    const { names } = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: names, clock })
    const leftovers = leave(world.root, 'folder', new StagedNames())
    const old = join('folder', '.Zx3_-9aBcDeF.fm-tmp')
    writeFileSync(join(world.root, old), 'half')
    clock.move(DAY - 60_000)
    expect(await sweep(world.storage)).toBe(0)
    names.isSweepDue = true
    clock.move(2 * 60_000)
    expect(await sweep(world.storage)).toBe(leftovers.length + 1)
    expect(readdirSync(join(world.root, 'folder'))).toEqual([])
  })

  it('removes an unfinished copy whose folder was renamed', async () => {
    await using data = await installation()
    const killed = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: killed.names })
    for (const name of ['a', 'b', 'c']) await put(world.scope, `/from/${name}`, 'x')
    mkdirSync(join(world.root, 'to'))
    const abort = new AbortController()
    const work = { advance: () => abort.abort(STOPPING), signal: abort.signal }
    expect(await codeOf(world.scope.copy(path('/from'), path('/to/copy'), FREE, work))).toBe('CANCELLED')
    const [half = ''] = readdirSync(join(world.root, 'to'))
    expect(lstatSync(join(world.root, 'to', half)).isDirectory()).toBe(true)
    // Stopping leaves it to the next run, so the flag stays.
    await killed[Symbol.asyncDispose]()
    expect(data.hasFlag()).toBe(true)
    renameSync(join(world.root, 'to'), join(world.root, 'renamed'))
    await using storage = await openLocalStorage(world.root, { staged: (await data.begin()).names })
    expect(await sweep(storage)).toBe(1)
    expect(readdirSync(join(world.root, 'renamed'))).toEqual([])
  })

  it('begins again in the next run when it is interrupted', async () => {
    await using data = await installation()
    const killed = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: (await data.begin()).names })
    leave(world.root, 'folder', killed.names)
    const stop = AbortSignal.abort()
    expect(await codeOf(world.storage.sweep({ signal: stop }))).toBe('CANCELLED')
    const next = await data.begin()
    await using storage = await openLocalStorage(world.root, { staged: next.names })
    expect(await sweep(storage)).toBe(2)
    await next[Symbol.asyncDispose]()
    expect(data.hasFlag()).toBe(false)
  })

  it('leaves out folders of the daemon', async () => {
    await using data = await installation()
    const killed = await data.begin()
    const { names } = await data.begin()
    await using world = await LocalWorld.open()
    leave(world.root, 'data', killed.names)
    const closed = () => [join(world.root, 'data')]
    await using storage = await openLocalStorage(world.root, { staged: names, protectedPaths: closed })
    expect(await sweep(storage)).toBe(0)
    expect(readdirSync(join(world.root, 'data'))).toHaveLength(2)
  })

  it('is due again when another disk takes the place of the one that was swept', async () => {
    await using data = await installation()
    const killed = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: (await data.begin()).names })
    expect(await sweep(world.storage)).toBe(0)
    const disk = `${world.root} of before`
    renameSync(world.root, disk)
    mkdirSync(world.root)
    leave(world.root, '', killed.names)
    await expect.poll(async () => (await world.storage.ready(), await sweep(world.storage))).toBe(2)
  })

  it.each([
    ['a folder was moved meanwhile', 'here'],
    ['a hidden file was moved into another folder, with all that was beside it', 'merged'],
    ['another daemon may have moved one', 'elsewhere'],
    ['something was found: messages of other daemons may be late', 'unknown'],
  ])('looks again if %s', async (_reason, moved) => {
    await using data = await installation()
    const killed = await data.begin()
    const next = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: next.names })
    const [found, missed] = [killed.names.next(), killed.names.next()].map((name) => join(world.root, name)) as [
      string,
      string,
    ]
    if (moved === 'unknown') writeFileSync(found, 'half')
    mkdirSync(join(world.root, 'from/inside'), { recursive: true })
    let passes = 0
    const merge = async () => {
      const { neededByUploads } = next.names
      next.names.neededByUploads = async () => new Set()
      const hidden = killed.names.next()
      for (const folder of ['merged', 'to']) mkdirSync(join(world.root, folder))
      writeFileSync(join(world.root, 'merged', hidden), 'half')
      await world.scope.move(path('/merged'), path('/to'), { ...FREE, replace: true })
      // As if it had been moved from where the pass has not been to where it has been.
      rmSync(join(world.root, 'to', hidden))
      next.names.neededByUploads = neededByUploads
    }
    next.names.neededByUploads = async () => {
      passes += 1
      if (passes === 1 && moved === 'here') await world.scope.rename(path('/from/inside'), path('/moved'), FREE)
      if (passes === 1 && moved === 'merged') await merge()
      // Stands for what lay in a folder that the first pass has missed.
      if (passes === 2) writeFileSync(missed, 'half')
      return new Set()
    }
    const movesElsewhere = () => (moved === 'elsewhere' ? Math.min(passes, 1) : 0)
    const { isComplete } = await world.storage.sweep({ movesElsewhere })
    expect(isComplete).toBe(true)
    expect([passes, existsSync(found), existsSync(missed), next.names.isClean]).toEqual([3, false, false, true])
  })
})

describe('a run', () => {
  it('that ends cleanly lets the next one skip the sweep', async () => {
    await using data = await installation()
    const first = await data.begin()
    expect(data.hasFlag()).toBe(true)
    await first[Symbol.asyncDispose]()
    expect(data.hasFlag()).toBe(false)
    const { names } = await data.begin()
    expect(names.stager?.installation).toBe(first.names.stager?.installation)
    await using world = await LocalWorld.open('inside', { staged: names })
    leave(world.root, '', first.names)
    expect(await sweep(world.storage)).toBe(0)
    expect(readdirSync(world.root)).toHaveLength(2)
  })

  it.each(['nothing', 'another folder'])(
    'is not clean if the folder of a discarded file was renamed, and %s is there',
    async (another) => {
      await using data = await installation()
      const run = await data.begin()
      await using world = await LocalWorld.open('inside', { staged: run.names })
      const { staging } = world.scope
      const target = path('/folder/a.txt')
      const names = [staging.newName(), staging.newName()] as const
      for (const name of names) await staging.create(target, name, { ...NEW, length: 3 })
      await staging.discard(target, names[0])
      expect(run.names.isClean).toBe(true)
      renameSync(join(world.root, 'folder'), join(world.root, 'renamed'))
      if (another !== 'nothing') mkdirSync(join(world.root, 'folder'))
      await staging.discard(target, names[1])
      expect(run.names.isClean).toBe(false)
      expect(readdirSync(join(world.root, 'renamed'))).toEqual([names[1]])
    },
  )

  it('is clean when a folder was deleted while a file was written to it', async () => {
    await using data = await installation()
    const run = await data.begin()
    await using world = await LocalWorld.open('inside', { staged: run.names })
    mkdirSync(join(world.root, 'folder'))
    const body = Readable.from(
      (function* () {
        yield Buffer.from('x')
        rmSync(join(world.root, 'folder'), { recursive: true })
        yield Buffer.from('y')
      })(),
    )
    expect(await codeOf(world.scope.write(path('/folder/a'), body, NEW))).toBe('NOT_FOUND')
    expect(run.names.isClean).toBe(true)
  })
})

it('a data folder that is not writable does not prevent the start', async () => {
  await using data = await installation()
  writeFileSync(data.at('file'), '')
  await using run = await beginStaging(join(dirname(data.at('file')), 'file'), silentLogger)
  expect(run.names.stager).toBeUndefined()
})

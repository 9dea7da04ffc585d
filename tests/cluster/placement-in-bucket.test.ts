import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { STOPPING } from '../../src/platform/limits/job-queue.ts'
import { StagedNames } from '../../src/storage/reserved-names.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { type PlacingWork, storagePathOf } from '../../src/storage/storage.ts'
import { before, ITEMS, MODE, stageItems } from '../contract/storage/staged-items.ts'
import { codeOf, path, put } from '../contract/storage/view.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const STAGER = { installation: '0123abcd', run: '89ef4567' }
/** How many changes placing the items takes. */
const STEPS = 8

const server = s3OfFile(startS3Server)

/** Files that are replaced, a folder that is merged, and in the staged folder also new folders and files. */
async function world() {
  const prefix = `${randomUUID()}/`
  const staged = new StagedNames(STAGER)
  const storage = openS3Storage({ bucket: server().bucket, prefix }, { staged })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  const at = (name: string) => join(server().folder, prefix, name)
  const old = ['a.txt', 'docs/b.txt', 'docs/own.txt', 'docs/sub/x.txt', 'z.txt']
  for (const name of old) await put(scope, `/${name}`, `old ${name}`, { ...MODE, modified: 1_000_000_000_000_000_000n })
  return {
    at,
    scope,
    storage,
    staged,
    fill: async (work?: Pick<PlacingWork, 'signal'>) => await stageItems(scope, work),
    /** Everything that is there, hidden or not, with contents. */
    tree: () =>
      readdirSync(at(''), { recursive: true, encoding: 'utf8' })
        .map((name) => [name, statSync(at(name)).isFile() ? readFileSync(at(name), 'utf8') : ''])
        .toSorted(),
    /** Times are kept by the server, not by its disk. */
    times: async () =>
      await Promise.all(
        old.map(async (name) => {
          await using file = await scope.open(path(`/${name}`))
          return file.modified
        }),
      ),
    [Symbol.asyncDispose]: async () => await storage[Symbol.asyncDispose](),
  }
}

const changes = Array.from({ length: STEPS }, (_, index) => index + 1)

describe('placing several entries in a bucket', () => {
  it('places all, and leaves nothing hidden', async () => {
    await using opened = await world()
    let count = 0
    {
      await using staged = await opened.fill()
      await staged.place(ITEMS, { replace: true }, { accept: () => void (count += 1) })
    }
    expect(count).toBe(STEPS)
    expect(opened.tree().filter(([, text]) => text !== '')).toEqual([
      ['a.txt', 'new a.txt'],
      ['docs/b.txt', 'new docs/b.txt'],
      ['docs/more/d.txt', 'new docs/more/d.txt'],
      ['docs/own.txt', 'old docs/own.txt'],
      ['docs/sub/c.txt', 'new docs/sub/c.txt'],
      ['docs/sub/x.txt', 'old docs/sub/x.txt'],
      ['new/e.txt', 'new new/e.txt'],
      ['z.txt', 'new z.txt'],
    ])
    expect(readdirSync(opened.at(''))).toEqual(['a.txt', 'docs', 'new', 'z.txt'])
  })

  it.each(changes)('is taken back if it fails right before change %i', async (change) => {
    await using opened = await world()
    const [tree, times] = [opened.tree(), await opened.times()]
    {
      await using staged = await opened.fill()
      const accept = before(change, () => {
        throw new Error('refused')
      })
      await expect(staged.place(ITEMS, { replace: true }, { accept })).rejects.toThrow('refused')
    }
    expect(opened.tree()).toEqual(tree)
    expect(await opened.times()).toEqual(times)
  })

  it('is taken back if it is cancelled', async () => {
    await using opened = await world()
    const tree = opened.tree()
    const cancel = new AbortController()
    {
      await using staged = await opened.fill()
      const accept = before(STEPS, () => {
        cancel.abort()
      })
      expect(await codeOf(staged.place(ITEMS, { replace: true }, { signal: cancel.signal, accept }))).toBe('CANCELLED')
    }
    expect(opened.tree()).toEqual(tree)
  })

  it('changes nothing if one entry is in the way of the first look', async () => {
    await using opened = await world()
    await put(opened.scope, '/y/z.txt/file', 'x')
    const tree = opened.tree()
    {
      await using staged = await opened.fill()
      await staged.write(path('/y/z.txt'), Readable.from(['z']), MODE)
      let changed = 0
      const work = { accept: () => void (changed += 1) }
      const items = [...ITEMS, { from: 'y', to: 'y' }]
      expect(await codeOf(staged.place(items, { replace: true }, work))).toBe('CONFLICT')
      expect(changed).toBe(0)
    }
    expect(opened.tree()).toEqual(tree)
  })

  it('leaves what others have changed meanwhile, and says so', async () => {
    await using opened = await world()
    const leftOut: string[] = []
    const theirs = new AbortController()
    {
      await using staged = await opened.fill()
      const work = {
        signal: theirs.signal,
        accept: before(STEPS, () => {
          writeFileSync(opened.at('new/theirs.txt'), 'theirs')
          writeFileSync(opened.at('docs/more/theirs.txt'), 'theirs')
          theirs.abort()
        }),
        leftOut: (name: string) => void leftOut.push(name),
      }
      expect(await codeOf(staged.place(ITEMS, { replace: true }, work))).toBe('CANCELLED')
    }
    expect(leftOut.toSorted()).toEqual(['docs/more', 'new'])
    expect(readFileSync(opened.at('new/theirs.txt'), 'utf8')).toBe('theirs')
    expect(readFileSync(opened.at('docs/b.txt'), 'utf8')).toBe('old docs/b.txt')
    expect(readdirSync(opened.at('new'))).toEqual(['theirs.txt'])
  })

  it('does not take its own result for what it has replaced', async () => {
    await using opened = await world()
    const mode = { ...MODE, modified: 1_500_000_000_000_000_000n }
    await put(opened.scope, '/a.txt', 'same', { ...mode, replace: true })
    {
      await using staged = await opened.scope.stageFolder(path('/'), {})
      await staged.write(path('/a.txt'), Readable.from(['same']), mode)
      await staged.write(path('/b.txt'), Readable.from(['b']), mode)
      const items = ['a.txt', 'b.txt'].map((name) => ({ from: name, to: name }))
      const accept = () => {
        throw new Error('refused')
      }
      await expect(staged.place(items, { replace: true }, { accept })).rejects.toThrow('refused')
    }
    expect(readFileSync(opened.at('a.txt'), 'utf8')).toBe('same')
  })
})

describe('placing in a bucket that an earlier run has begun', () => {
  /** Stops in the middle, as a daemon that ends. @returns the name of what is left */
  async function stopped(opened: Awaited<ReturnType<typeof world>>, change: number): Promise<string> {
    const stop = new AbortController()
    const folder = await opened.fill(stop)
    const accept = before(change, () => {
      stop.abort(STOPPING)
    })
    await folder.place(ITEMS, { replace: true }, { signal: stop.signal, accept }).catch(() => undefined)
    await folder[Symbol.asyncDispose]()
    expect(readdirSync(opened.at(''))).toContain(folder.name)
    return folder.name
  }

  it.each([1, 3, 5, STEPS])('is taken back by its job after change %i', async (change) => {
    await using opened = await world()
    const tree = opened.tree()
    const name = await stopped(opened, change)
    expect(opened.tree()).not.toEqual(tree)
    await opened.scope.unstage(path('/'), name)
    expect(opened.tree()).toEqual(tree)
    await opened.scope.unstage(path('/'), name)
  })

  it('is taken back by the sweep', async () => {
    await using opened = await world()
    const tree = opened.tree()
    await stopped(opened, 5)
    opened.staged.startNewRun({ ...STAGER, run: '00000000' })
    opened.staged.isSweepDue = true
    expect(await opened.storage.sweep()).toMatchObject({ removed: 1 })
    expect(opened.tree()).toEqual(tree)
  })
})

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { STOPPING } from '../../../../src/platform/limits/job-queue.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import type { PlacingWork } from '../../../../src/storage/storage.ts'
import { LocalWorld } from '../local-world.ts'
import { before, ITEMS, MODE, stageItems } from '../staged-items.ts'
import { codeOf, path } from '../view.ts'

const STAGER = { installation: '0123abcd', run: '89ef4567' }
/** How many changes placing the items takes. */
const STEPS = 6

/** Files that are replaced, a folder that is merged, and in the staged folder also a new folder and new files. */
async function world() {
  const staged = new StagedNames(STAGER)
  const opened = await LocalWorld.open('inside', { staged })
  const at = (name: string) => join(opened.root, name)
  mkdirSync(at('docs/sub'), { recursive: true })
  for (const name of ['a.txt', 'docs/b.txt', 'docs/own.txt', 'z.txt']) writeFileSync(at(name), `old ${name}`)
  return {
    at,
    scope: opened.scope,
    storage: opened.storage,
    staged,
    fill: async (work?: Pick<PlacingWork, 'signal'>) => await stageItems(opened.scope, work),
    /** Everything that is there, hidden or not, with contents and identities. */
    tree: () =>
      readdirSync(opened.root, { recursive: true, withFileTypes: true })
        .map((entry) => join(entry.parentPath, entry.name))
        .map((name) => [name, statSync(name).ino, statSync(name).isFile() ? readFileSync(name, 'utf8') : ''])
        .toSorted(),
    [Symbol.asyncDispose]: async () => await opened[Symbol.asyncDispose](),
  }
}

const changes = Array.from({ length: STEPS }, (_, index) => index + 1)

describe('placing several entries', () => {
  it('places all, and leaves nothing hidden', async () => {
    await using opened = await world()
    {
      await using staged = await opened.fill()
      await staged.place(ITEMS, { replace: true })
    }
    const texts = opened.tree().filter(([, , text]) => text !== '')
    expect(texts.map(([name, , text]) => [String(name).slice(opened.at('x').length - 1), text])).toEqual([
      ['a.txt', 'new a.txt'],
      ['docs/b.txt', 'new docs/b.txt'],
      ['docs/more/d.txt', 'new docs/more/d.txt'],
      ['docs/own.txt', 'old docs/own.txt'],
      ['docs/sub/c.txt', 'new docs/sub/c.txt'],
      ['new/e.txt', 'new new/e.txt'],
      ['z.txt', 'new z.txt'],
    ])
    expect(readdirSync(opened.at(''))).toEqual(['a.txt', 'docs', 'new', 'z.txt'])
  })

  it.each(changes)('is taken back if it fails right before change %i', async (change) => {
    await using opened = await world()
    const tree = opened.tree()
    {
      await using staged = await opened.fill()
      const accept = before(change, () => {
        throw new Error('refused')
      })
      await expect(staged.place(ITEMS, { replace: true }, { accept })).rejects.toThrow('refused')
    }
    expect(opened.tree()).toEqual(tree)
  })

  it.each(changes)('is taken back if it is cancelled at change %i', async (change) => {
    await using opened = await world()
    const tree = opened.tree()
    const cancel = new AbortController()
    {
      await using staged = await opened.fill()
      const work = {
        signal: cancel.signal,
        accept: before(change, () => {
          cancel.abort()
        }),
      }
      const placing = staged.place(ITEMS, { replace: true }, work)
      // After the last change there is nothing to cancel.
      if (change < STEPS) expect(await codeOf(placing)).toBe('CANCELLED')
      else await placing
    }
    if (change < STEPS) expect(opened.tree()).toEqual(tree)
  })

  it('changes nothing if the last entry is in the way of the first look', async () => {
    await using opened = await world()
    mkdirSync(opened.at('new'))
    writeFileSync(opened.at('new/e.txt'), 'mine')
    mkdirSync(opened.at('y/z.txt'), { recursive: true })
    const tree = opened.tree()
    {
      await using staged = await opened.fill()
      await staged.write(path('/y/z.txt'), Readable.from(['z']), MODE)
      const items = [...ITEMS, { from: 'y', to: 'y' }]
      let changed = 0
      const work = { accept: () => void (changed += 1) }
      expect(await codeOf(staged.place(items, { replace: true }, work))).toBe('CONFLICT')
      expect(changed).toBe(0)
    }
    expect(opened.tree()).toEqual(tree)
  })

  it.each<[string, (at: (name: string) => string) => void, string]>([
    ['a folder of the target is gone', (at) => rmSync(at('docs/sub'), { recursive: true }), 'docs/sub'],
    [
      'a folder has the name of a file',
      (at) => {
        rmSync(at('z.txt'))
        mkdirSync(at('z.txt'))
        writeFileSync(at('z.txt/theirs.txt'), 'theirs')
      },
      'z.txt',
    ],
  ])('is taken back if %s by then', async (_, change, name) => {
    await using opened = await world()
    const others = () => opened.tree().filter(([path]) => !String(path).startsWith(opened.at(name)))
    const tree = others()
    {
      await using staged = await opened.fill()
      const accept = before(1, () => change(opened.at))
      expect(await codeOf(staged.place(ITEMS, { replace: true }, { accept }))).toBe('CONFLICT')
    }
    expect(others()).toEqual(tree)
    if (name === 'z.txt') expect(readFileSync(opened.at('z.txt/theirs.txt'), 'utf8')).toBe('theirs')
  })

  it('does not replace a link that leads out', async () => {
    await using opened = await world()
    rmSync(opened.at('a.txt'))
    symlinkSync('/etc/passwd', opened.at('a.txt'))
    await using staged = await opened.fill()
    expect(await codeOf(staged.place(ITEMS, { replace: true }))).toBe('FORBIDDEN')
  })

  it('is refused once another folder has the name of the one it was begun in', async () => {
    await using opened = await world()
    {
      await using staged = await opened.scope.stageFolder(path('/docs'), {}, {})
      await staged.write(path('/x.txt'), Readable.from(['x']), MODE)
      renameSync(opened.at('docs'), opened.at('moved'))
      mkdirSync(opened.at('docs'))
      expect(await codeOf(staged.place([{ from: 'x.txt', to: 'x.txt' }], { replace: false }))).toBe('CONFLICT')
    }
    expect([readdirSync(opened.at('docs')), readdirSync(opened.at('moved'))]).toEqual([[], ['b.txt', 'own.txt', 'sub']])
  })

  it('leaves what others have changed meanwhile, and says so', async () => {
    await using opened = await world()
    const leftOut: string[] = []
    {
      await using staged = await opened.fill()
      const accept = before(STEPS, () => {
        writeFileSync(opened.at('new/theirs.txt'), 'theirs')
        writeFileSync(opened.at('a.txt'), 'theirs')
        throw new Error('refused')
      })
      const work = { accept, leftOut: (name: string) => void leftOut.push(name) }
      await expect(staged.place(ITEMS, { replace: true }, work)).rejects.toThrow('refused')
    }
    expect(leftOut).toEqual(['new', 'a.txt'])
    expect(readFileSync(opened.at('new/theirs.txt'), 'utf8')).toBe('theirs')
    expect(readFileSync(opened.at('a.txt'), 'utf8')).toBe('theirs')
    expect(readFileSync(opened.at('docs/b.txt'), 'utf8')).toBe('old docs/b.txt')
    expect(readdirSync(opened.at(''))).toEqual(['a.txt', 'docs', 'new', 'z.txt'])
  })
})

describe('placing that an earlier run has begun', () => {
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

  it.each(changes.slice(0, -1))('is taken back by its job after change %i', async (change) => {
    await using opened = await world()
    const tree = opened.tree()
    const name = await stopped(opened, change)
    expect(opened.tree()).not.toEqual(tree)
    await opened.scope.unstage(path('/'), name)
    expect(opened.tree()).toEqual(tree)
    await opened.scope.unstage(path('/'), name)
  })

  it.each(changes.slice(0, -1))('is taken back by the sweep after change %i', async (change) => {
    await using opened = await world()
    const tree = opened.tree()
    await stopped(opened, change)
    opened.staged.startNewRun({ ...STAGER, run: '00000000' })
    opened.staged.isSweepDue = true
    expect(await opened.storage.sweep()).toMatchObject({ removed: 1 })
    expect(opened.tree()).toEqual(tree)
  })
})

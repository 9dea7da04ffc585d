import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Descriptors } from '../../../../src/storage/local/scope/run-operation.ts'
import { hold, HOLD_FOLDER } from '../../../../src/storage/local/system/handle.ts'
import { FolderWatches } from '../../../../src/storage/local/watch/folder-watches.ts'
import { LocalWorld, openDescriptors } from '../local-world.ts'
import { RecordingListener } from '../recording-listener.ts'
import { codeOf, path } from '../view.ts'

const HOUR = 60 * 60_000

/** Fails like a system that has no watches left. */
const noWatchLeft = () => {
  throw Object.assign(new Error('no watch left'), { code: 'ENOSPC' })
}

describe('a watched folder of the local disk', () => {
  it('reports what other programs do', async () => {
    await using world = await LocalWorld.open()
    const listener = new RecordingListener()
    using _watch = await world.scope.watch(path('/'), listener)
    writeFileSync(join(world.root, 'by another program'), '')
    await expect.poll(() => [...listener.names]).toEqual(['by another program'])
  })

  it('stays the same folder when its name becomes a link that leads out', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'docs'))
    const listener = new RecordingListener()
    using _watch = await world.scope.watch(path('/docs'), listener)
    renameSync(join(world.root, 'docs'), join(world.root, 'moved'))
    symlinkSync(world.outside, join(world.root, 'docs'))
    writeFileSync(join(world.outside, 'secret'), '')
    writeFileSync(join(world.root, 'moved/mine'), '')
    await expect.poll(() => listener.names.has('mine')).toBe(true)
    expect(listener.names.has('secret')).toBe(false)
    expect(await codeOf(world.scope.watch(path('/docs'), listener))).toBe('FORBIDDEN')
  })

  it('releases its descriptors, even after many watches', async () => {
    await using world = await LocalWorld.open()
    const before = openDescriptors()
    const watches = []
    for (let i = 0; i < 40; i += 1) {
      mkdirSync(join(world.root, `${i % 10}`), { recursive: true })
      watches.push(await world.scope.watch(path(`/${i % 10}`), new RecordingListener()))
    }
    // One for each folder, and one for the events of the system.
    expect(openDescriptors()).toBeLessThanOrEqual(before + 12)
    for (const watch of watches) watch[Symbol.dispose]()
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before + 2)
  })

  it('is dropped for a new one when there are too many, and its listener is informed', async () => {
    await using world = await LocalWorld.open('inside', { maxDescriptors: 24 })
    const listeners = Array.from({ length: 4 }, () => new RecordingListener())
    for (const [i, listener] of listeners.entries()) {
      mkdirSync(join(world.root, `${i}`))
      await world.scope.watch(path(`/${i}`), listener)
      // This second watch makes the folder the newest one again.
      await world.scope.watch(path('/0'), listeners[0] ?? listener)
    }
    expect(listeners.map(({ isLost }) => isLost)).toEqual([false, true, false, false])
  })

  it.each(['moved', 'removed'])('reports that it, or a folder above it, was %s', async (change) => {
    await using world = await LocalWorld.open()
    const folder = join(world.root, 'above/docs')
    mkdirSync(folder, { recursive: true })
    using watches = new FolderWatches({ max: 10, pollInterval: HOUR })
    using handle = await hold(folder, HOLD_FOLDER)
    const listener = new RecordingListener()
    using _watch = await watches.add('id', handle, await new Descriptors(10).acquire(1), listener)
    if (change === 'moved') renameSync(join(world.root, 'above'), join(world.root, 'other'))
    else rmSync(join(world.root, 'above'), { recursive: true })
    await watches.poll()
    await expect.poll(() => [...listener.names]).toEqual(['?'])
  })

  it('is reported as moved even if its new path is too long for the system, and the next poll succeeds', async () => {
    await using world = await LocalWorld.open()
    const deep = Array.from({ length: 9 }, () => 'x'.repeat(240)).join('/')
    for (const name of ['one', 'other']) mkdirSync(join(world.root, name, deep), { recursive: true })
    using watches = new FolderWatches({ max: 10, pollInterval: HOUR })
    using handle = await hold(join(world.root, 'other', deep), HOLD_FOLDER)
    const listener = new RecordingListener()
    using _watch = await watches.add('id', handle, await new Descriptors(10).acquire(1), listener)
    const target = join(world.root, 'one', deep, 'other')
    renameSync(join(world.root, 'other'), target)
    try {
      await watches.poll()
      await watches.poll()
      await expect.poll(() => [...listener.names]).toEqual(['?'])
    } finally {
      renameSync(target, join(world.root, 'other'))
    }
  })

  it('is polled where the system has no watch left', async () => {
    await using world = await LocalWorld.open()
    using watches = new FolderWatches({ max: 10, pollInterval: HOUR, start: noWatchLeft })
    using handle = await hold(world.root, HOLD_FOLDER)
    const listener = new RecordingListener()
    using _watch = await watches.add('id', handle, await new Descriptors(10).acquire(1), listener)
    writeFileSync(join(world.root, '.AAAAAAAAAAAA.fm-tmp'), '')
    await watches.poll()
    expect([...listener.names]).toEqual([])
    writeFileSync(join(world.root, 'new'), '')
    await watches.poll()
    expect([...listener.names]).toEqual(['?'])
  })
})

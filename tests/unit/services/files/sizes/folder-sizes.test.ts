import { describe, expect, it } from 'vitest'
import type { Actor, UserActor, Visitor } from '../../../../../src/domain/accounts/actor.ts'
import { cancelled } from '../../../../../src/domain/errors.ts'
import type { User } from '../../../../../src/domain/accounts/user.ts'
import type { FlatResource } from '../../../../../src/domain/files/resource.ts'
import { below, parseVirtualPath, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { JobQueue } from '../../../../../src/platform/limits/job-queue.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import type { FileAccess } from '../../../../../src/services/access/file-access.ts'
import { createStartJob } from '../../../../../src/services/automation/jobs/start-job.ts'
import { createFileChanges } from '../../../../../src/services/access/file-changes.ts'
import { createJobJournal } from '../../../../../src/services/automation/jobs/job-notes.ts'
import { MemoryLeases } from '../../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../../src/store/records/records.ts'
import { createFolderSizes } from '../../../../../src/services/files/sizes/folder-sizes.ts'
import type { MessageListener } from '../../../../../src/store/store.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'

const path = parseVirtualPath
const MINUTE = 60_000

/** Sizes of files by their paths; the folders follow from the paths. */
type Tree = Record<string, number>

/** The service with files in memory, and a record of what it reads. */
function world(tree: Tree) {
  const clock = movableClock()
  const queue = new JobQueue({ clock, random: systemRandom })
  const changes = createFileChanges({ log: recordingLog() })
  const listeners: MessageListener[] = []
  const read: string[] = []
  const times: Record<string, string> = {}
  let gate = Promise.resolve()

  const rowsIn = (folder: VirtualPath): FlatResource[] => {
    const prefix = folder === '/' ? '/' : `${folder}/`
    const inside = Object.entries(tree).filter(([file]) => file.startsWith(prefix))
    const names = new Set(inside.map(([file]) => file.slice(prefix.length).split('/')[0] ?? ''))
    return [...names].toSorted().map((name) => {
      const own = below(folder, `/${name}` as VirtualPath)
      const size = tree[own]
      return { path: own, name, size: size ?? 4096, modified: times[own] ?? 'then', isDir: size === undefined }
    })
  }
  const deep = (folder: VirtualPath): FlatResource[] =>
    rowsIn(folder).flatMap((row) => (row.isDir ? [row, ...deep(row.path as VirtualPath)] : [row]))

  const filesOf = (user: User) =>
    ({
      user,
      judge: { rules: [] },
      view: () => ({ hideDotfiles: false }),
      requireAllowed: () => undefined,
      keepRulesOf: () => undefined,
      requireStill: () => undefined,
      keep: () => undefined,
      scope: {
        async *entries(folder: VirtualPath) {
          read.push(`${folder} alone`)
          yield rowsIn(folder)
        },
        async *walk(folder: VirtualPath, _view: unknown, signal: AbortSignal) {
          read.push(folder)
          const stopped = Promise.withResolvers<void>()
          signal.addEventListener('abort', () => stopped.reject(cancelled()))
          await Promise.race([gate, stopped.promise])
          yield deep(folder)
        },
      },
      [Symbol.dispose]: () => undefined,
    }) as unknown as FileAccess

  const open = (actor: Actor | Visitor, path: string) =>
    Object.assign(filesOf((actor as UserActor).user()), { path, place: {}, shown: (each: VirtualPath) => each })
  const access = {
    at: async (actor: Actor | Visitor, text: string) => open(actor, text),
    again: async (actor: Actor | Visitor) => open(actor, '/'),
    places: () => [],
  }
  const NO_SESSIONS = { extend: async () => undefined, keepExtending: () => ({ [Symbol.dispose]: () => undefined }) }
  const journal = createJobJournal({
    records: memoryRecords(),
    steps: memoryRecords(),
    leases: new MemoryLeases(),
    clock,
    random: systemRandom,
  })
  const actorWatch = { onRefused: () => () => undefined }
  const service = createFolderSizes({
    access,
    changes,
    messages: {
      subscribe: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    },
    jobs: queue,
    startJob: createStartJob({
      queue,
      journal,
      access,
      actorWatch,
      heldSessions: NO_SESSIONS,
      log: recordingLog(),
      jobBoard: { whenSaved: async () => undefined, drop: () => undefined },
    }),
    clock,
  })
  const actorOf = (id: number, scope = '/') =>
    ({ kind: 'user', id: id as UserId, scope, user: () => ({ id: id as UserId, scope }) }) as unknown as UserActor
  const ann = actorOf(1)
  const of = async (folder: string, measure = true, actor: Actor = ann) => await service.of(actor, folder, { measure })
  const idle = async () => await expect.poll(() => queue.list().filter(({ state }) => state === 'running')).toEqual([])
  return {
    tree,
    clock,
    queue,
    changes,
    listeners,
    times,
    of,
    idle,
    actorOf,
    service,
    user: ann.user(),
    /** What was read since the last call. */
    reads: () => read.splice(0),
    hold(until: Promise<void>) {
      gate = until
    },
    /** Asks, waits for the job, and returns the bytes by names. */
    async count(folder: string, actor: Actor = ann) {
      await of(folder, true, actor)
      await idle()
      return Object.fromEntries((await of(folder, false, actor)).sizes.map(({ name, bytes }) => [name, bytes]))
    },
  }
}

const TREE = { '/a/b/1': 10, '/a/2': 20, '/c/d/e/3': 30, '/4': 40 }

describe('sizes of folders', () => {
  it('are counted on demand, and then known by reading only the folder itself', async () => {
    const { of, count, reads, queue } = world({ ...TREE })
    expect(await of('/', false)).toEqual({ sizes: [] })
    expect(reads()).toEqual(['/ alone'])
    const sizes = [
      { name: 'a', bytes: 30, files: 2, folders: 1 },
      { name: 'c', bytes: 30, files: 1, folders: 2 },
    ]
    expect(await of('/')).toEqual({ sizes })
    expect(reads()).toEqual(['/ alone', '/a', '/c'])
    expect(await of('/')).toEqual({ sizes })
    expect(reads()).toEqual(['/ alone'])
    expect(await count('/c')).toEqual({ d: 30 })
    expect(reads()).toEqual(['/c alone', '/c alone'])
    expect(queue.list()).toEqual([])
  })

  it('need only the changed folder to be read again after a change by this daemon', async () => {
    const { tree, changes, user, count, reads } = world({ ...TREE })
    await count('/')
    tree['/c/d/e/new'] = 5
    await changes.notify({ kind: 'written', user, path: path('/c/d/e/new') })
    reads()
    expect(await count('/')).toEqual({ a: 30, c: 35 })
    expect(reads().filter((folder) => folder !== '/ alone')).toEqual(['/c/d/e alone'])
    delete tree['/a/b/1']
    await changes.notify({ kind: 'removed', user, path: path('/a/b') })
    expect(await count('/')).toEqual({ a: 20, c: 35 })
  })

  it('notice changes through other daemons, and forget all if they may have missed some', async () => {
    const { tree, listeners, count, of } = world({ ...TREE })
    await count('/')
    tree['/c/d/new'] = 7
    listeners[0]?.received('files', '/c/d/new')
    expect(await count('/')).toEqual({ a: 30, c: 37 })
    listeners[0]?.gap()
    expect((await of('/', false)).sizes).toEqual([])
  })

  it('notice changes by other programs from the times of the listed folders', async () => {
    const { tree, times, count } = world({ ...TREE })
    await count('/')
    tree['/a/new'] = 1
    times['/a'] = 'now'
    expect(await count('/')).toEqual({ a: 31, c: 30 })
    tree['/new/5'] = 50
    expect(await count('/')).toEqual({ a: 31, c: 30, new: 50 })
  })

  it('list the largest and the oldest files at any depth, read again only when that is cheap', async () => {
    const { tree, times, changes, user, service, reads, clock, hold, idle, actorOf } = world({ ...TREE })
    const ann = actorOf(1)
    const ask = async (folder = '/') => (await service.of(ann, folder, { measure: true, notable: true })).notable
    const named = (files: readonly FlatResource[] = []) => files.map((file) => file.path)
    times['/a/b/1'] = '2019-05-01T10:00:00+02:00'
    times['/c/d/e/3'] = '2019-05-01T09:30:00+01:00'
    const first = await ask()
    expect(first).toMatchObject({ total: { bytes: 100, files: 4, folders: 5 }, own: { bytes: 40, files: 1 } })
    expect(named(first?.largest)).toEqual(['/4', '/c/d/e/3', '/a/2', '/a/b/1'])
    expect(named(first?.oldest)).toEqual(['/a/b/1', '/c/d/e/3'])
    reads()
    await ask()
    expect(reads()).toEqual(['/ alone'])
    // What was removed leaves the lists at once, also where they are not read again yet.
    const slow = Promise.withResolvers<void>()
    hold(slow.promise)
    clock.move(11 * MINUTE)
    const started = service.of(ann, '/', { measure: true, notable: true })
    expect((await started).job?.state).toBe('running')
    clock.move(MINUTE)
    slow.resolve()
    await idle()
    delete tree['/c/d/e/3']
    tree['/a/new'] = 90
    await changes.notify({ kind: 'removed', user, path: path('/c/d') })
    await changes.notify({ kind: 'written', user, path: path('/a/new') })
    expect(named((await ask())?.largest)).toEqual(['/4', '/a/2', '/a/b/1'])
    clock.move(21 * MINUTE)
    expect(named((await ask())?.largest)).toEqual(['/a/new', '/4', '/a/2', '/a/b/1'])
  })

  it('list at most a hundred files, whatever their order', async () => {
    const tree = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`/f/${index}`, (index * 7919) % 1009]))
    const { service, actorOf } = world(tree)
    const { notable } = await service.of(actorOf(1), '/', { measure: true, notable: true })
    const largest = Object.values(tree).toSorted((one, other) => other - one)
    expect(notable?.largest.map(({ size }) => size)).toEqual(largest.slice(0, 100))
    expect(notable?.total.files).toBe(1000)
  })

  it('show old values after an unnoticed change, until they expire', async () => {
    const { tree, count, of, clock } = world({ ...TREE })
    await count('/')
    tree['/c/d/e/3'] = 33
    expect(await count('/')).toEqual({ a: 30, c: 30 })
    clock.move(11 * MINUTE)
    expect((await of('/', false)).sizes).toMatchObject([{ name: 'a' }, { name: 'c', bytes: 30 }])
    expect((await of('/')).sizes).toMatchObject([{ name: 'a' }, { name: 'c', bytes: 33 }])
  })

  it('that take long are counted by one job for all callers, even when nobody asks any more', async () => {
    const { of, hold, queue, idle } = world({ ...TREE })
    const gate = Promise.withResolvers<void>()
    hold(gate.promise)
    const { job } = await of('/')
    expect((await of('/')).job?.id).toBe(job?.id)
    expect(queue.list()).toHaveLength(1)
    gate.resolve()
    await idle()
    expect((await of('/', false)).sizes).toHaveLength(2)
  })

  it('stay cancelled until they are asked for again', async () => {
    const { of, hold, queue } = world({ ...TREE })
    hold(new Promise<void>(() => undefined))
    const { job } = await of('/')
    queue.cancel(job?.id ?? '')
    await expect.poll(async () => (await of('/', false)).job?.state).toBe('cancelled')
    expect((await of('/')).job?.state).toBe('running')
    await queue[Symbol.asyncDispose]()
  })

  it('are counted one folder at a time; if too many wait, the oldest are dropped', async () => {
    const folders = Array.from({ length: 11 }, (_, index) => `/${index}`)
    const { of, hold, queue, actorOf } = world(Object.fromEntries(folders.map((folder) => [`${folder}/in/file`, 1])))
    hold(new Promise<void>(() => undefined))
    const inState = (expected: string) => queue.list().filter(({ state }) => state === expected)
    for (const folder of folders) await of(folder)
    expect(inState('running').map((job) => job.path)).toEqual(['/0'])
    expect(inState('waiting').map((job) => job.path)).toEqual(folders.slice(-8).toReversed())
    for (const id of [2, 3, 4]) await of('/0', true, actorOf(id, `/${id}`))
    expect(inState('running')).toHaveLength(2)
    await queue[Symbol.asyncDispose]()
  })
})

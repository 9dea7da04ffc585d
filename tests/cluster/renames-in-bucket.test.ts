import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { fail } from '../../src/domain/errors.ts'
import type { RenameOutcome } from '../../src/domain/files/renames/renames.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ProcessLocks } from '../../src/platform/limits/name-locks.ts'
import { silentLogger } from '../../src/platform/logging/logger.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import type { Stores } from '../../src/store/open-stores.ts'
import { soleDaemon } from '../../src/store/sole-daemon.ts'
import type { Records } from '../../src/store/store.ts'
import { NEW, path, put } from '../contract/storage/view.ts'
import { loseAnswer } from '../helpers/cluster/s3-proxy.ts'
import { proxiedS3OfFile } from '../helpers/cluster/server-of-file.ts'
import { testContext } from '../helpers/test-context.ts'

/** What may fail while the database or the S3 server is away for a moment. */
const FAULTS = ['requests refused', 'answers lost', 'locks refused'] as const
/** These are only noted by a batch rename. */
const OF_BATCHES = [...FAULTS, 'notes refused'] as const
type Fault = (typeof OF_BATCHES)[number]
/** Requests one after the other that fail; notes are fast, so that an outage may end at any of them. */
const OUTAGES: Readonly<Record<Fault, readonly number[]>> = {
  'requests refused': [3],
  'answers lost': [3],
  'locks refused': [3],
  'notes refused': [1, 2, 3, 4, 5, 6, 7, 8],
}
/** A swap, for which one has a temporary name, and a single entry. */
const RENAMES = [
  { from: 'a', to: 'b' },
  { from: 'b', to: 'a' },
  { from: 'x', to: 'y' },
]
const OLD = { a: 'content a', b: 'content b', x: 'content x' }
const RENAMED = { a: 'content b', b: 'content a', y: 'content x' }

/** Files of a folder that only a job renames. */
const MANY = 101
/** Unfinished jobs of one user. */
const MAX_JOBS = 100

const s3 = proxiedS3OfFile()

async function openWorld(files: Readonly<Record<string, string>>) {
  const prefix = `${randomUUID()}/`
  const [locks, fault] = [new ProcessLocks(), { lock: (): void => undefined, note: (): void => undefined }]
  const acquire = async (names: readonly string[]) => {
    fault.lock()
    return await locks.acquire(names)
  }
  const claim = async (name: string) => await locks.claim(name)
  const storage = openS3Storage({ bucket: s3().server.bucket, prefix }, { locks: { acquire, claim } })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  for (const [name, text] of Object.entries(files)) await put(scope, `/r/${name}`, text, NEW)
  const folder = join(s3().server.folder, prefix)
  const shared = soleDaemon({ folder: undefined, clock: systemClock, log: silentLogger })
  const noting =
    <A extends readonly unknown[]>(work: (...args: A) => Promise<void>) =>
    async (...args: A) => {
      fault.note()
      await work(...args)
    }
  const withNotes = <R>(records: Records<R>): Records<R> => ({
    list: records.list,
    flush: records.flush,
    put: noting(records.put),
    remove: noting(records.remove),
  })
  return {
    storage,
    scope,
    /** What several daemons share, and the sessions, as in a database. */
    withStores(stores: Stores): Stores {
      const { sessions } = stores
      return {
        ...stores,
        sessions: {
          get: (id) => sessions.get(id),
          all: () => sessions.all(),
          onChange: (each) => sessions.onChange(each),
          change: noting(sessions.change),
          [Symbol.asyncDispose]: sessions[Symbol.asyncDispose],
        },
        shared: {
          ...shared,
          jobRecords: withNotes(shared.jobRecords),
          stepRecords: withNotes(shared.stepRecords),
        },
      }
    },
    /** Requests fail, from this one on. @returns a function that ends this; true if none has failed */
    failing(what: Fault, first: number, outage: number): () => boolean {
      let count = 0
      const isFailing = () => {
        count += 1
        return count >= first && count < first + outage
      }
      const failAway = () => {
        if (isFailing()) fail('STORE_BUSY', 'the database is away')
      }
      if (what === 'locks refused') fault.lock = failAway
      else if (what === 'notes refused') fault.note = failAway
      else
        s3().proxy.before = (_, response) => {
          if (!isFailing()) return
          if (what === 'requests refused') response.writeHead(503).end()
          else loseAnswer(response)
        }
      return () => {
        fault.lock = fault.note = s3().proxy.before = () => undefined
        return count < first
      }
    },
    names: () => readdirSync(join(folder, 'r')).toSorted(),
    files(): Record<string, string> {
      const names = readdirSync(join(folder, 'r'))
      return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, 'r', name), 'utf8')]))
    },
    unfinishedJobs: async () => (await shared.jobRecords.list()).length,
    hidden: () => readdirSync(folder).filter((name) => name !== 'r'),
    [Symbol.asyncDispose]: async () => await storage[Symbol.asyncDispose](),
  }
}

/** Renames several entries while requests fail. @returns what is there then; `isOver` if none has failed */
async function renamedWith(fault: Fault, first: number, outage: number) {
  const world = await openWorld(OLD)
  await using context = await testContext({ storage: world.storage, withStores: world.withStores })
  const actor = await context.actor('admin')
  const end = world.failing(fault, first, outage)
  const work = async (): Promise<RenameOutcome | undefined> => {
    const answer = await context.services.renames.run(actor, '/r', { renames: RENAMES })
    return answer.kind === 'done' ? answer.outcome : (await answer.started.done).renames
  }
  const outcome = await work().catch(() => undefined)
  const isOver = end()
  // What the daemon has left, it finds again, as others do.
  using _takeover = await context.services.resumeJobs(false)
  await expect.poll(async () => await world.unfinishedJobs()).toBe(0)
  return { outcome, isOver, files: world.files(), hidden: world.hidden() }
}

it.each(FAULTS)('a file that is moved has one name afterwards: %s, whichever they are', async (fault) => {
  const wrong: unknown[] = []
  for (let [first, isOver] = [1, false]; !isOver; first += 1) {
    await using world = await openWorld({ m: 'moved' })
    const end = world.failing(fault, first, 3)
    await world.scope.rename(path('/r/m'), path('/r/n'), NEW).catch(() => undefined)
    isOver = end()
    const names = Object.keys(world.files())
    if (names.length !== 1) wrong.push({ first, names })
  }
  expect(wrong).toEqual([])
})

it.each(OF_BATCHES)('a batch rename is done or has not begun: %s, whichever they are', async (fault) => {
  const wrong: unknown[] = []
  for (const outage of OUTAGES[fault]) {
    for (let [first, isOver] = [1, false]; !isOver; first += 1) {
      const seen = await renamedWith(fault, first, outage)
      isOver = seen.isOver
      const { outcome, files, hidden } = seen
      // Without an answer, another run has ended it.
      const isDone = outcome !== undefined || (fault === 'notes refused' && !isDeepStrictEqual(files, OLD))
      const found = { files, failed: outcome?.failed, hidden }
      if (!isDeepStrictEqual(found, { files: isDone ? RENAMED : OLD, failed: outcome && [], hidden: [] }))
        wrong.push({ outage, first, ...found })
    }
  }
  expect(wrong).toEqual([])
})

it('entries keep their old names if a folder needs a job, and the user has too many', async () => {
  const inner = Array.from({ length: MANY }, (_, index): [string, string] => [`f/${index}`, `content ${index}`])
  await using world = await openWorld({ ...Object.fromEntries(inner), a: 'content a' })
  await using context = await testContext({ storage: world.storage })
  const { renames, transfers, jobs } = context.services
  const actor = await context.actor('admin')
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  s3().proxy.before = async ({ operation, key }) => {
    if (operation === 'COPY' && key.includes('/z')) await isOver
  }
  const started: string[] = []
  while (started.length < MAX_JOBS) {
    const copy = { action: 'copy', destination: `/z${started.length}`, override: false, rename: false }
    started.push((await transfers.transfer(actor, '/r/f', copy))?.id ?? '')
  }
  const swap = [
    { from: 'a', to: 'f' },
    { from: 'f', to: 'a' },
  ]
  const answer = await renames.run(actor, '/r', { renames: swap })
  const failed = swap.map((rename) => ({ ...rename, error: expect.objectContaining({ code: 'BUSY' }) as object }))
  expect(answer).toEqual({ kind: 'done', outcome: { renamed: [], failed: expect.arrayContaining(failed) as object } })
  expect(world.names()).toEqual(['a', 'f'])
  for (const id of started) await jobs.cancel(actor, id)
  end()
})

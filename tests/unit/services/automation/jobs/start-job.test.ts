import { describe, expect, it } from 'vitest'
import { type Actor, OPERATOR, type UserActor } from '../../../../../src/domain/accounts/actor.ts'
import { fail, throwIfCancelled } from '../../../../../src/domain/errors.ts'
import { parseVirtualPath, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { JobRecord } from '../../../../../src/domain/automation/job-record.ts'
import { JobQueue, STOPPING } from '../../../../../src/platform/limits/job-queue.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import type { FileAccess } from '../../../../../src/services/access/file-access.ts'
import { createStartJob, type RecordedWork } from '../../../../../src/services/automation/jobs/start-job.ts'
import { createJobJournal } from '../../../../../src/services/automation/jobs/job-notes.ts'
import { MemoryLeases } from '../../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../../src/store/records/records.ts'
import type { Lease } from '../../../../../src/store/store.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'

const REQUEST = { kind: 'measure', path: parseVirtualPath('/a') } as const
const ANN = { kind: 'user', id: 1, scope: '/ann', token: { id: 'key' } } as unknown as UserActor

/** Leases of a daemon, each of which it may lose. */
function losableLeases() {
  const leases = new MemoryLeases()
  const lost = new AbortController()
  const losable = (lease: Lease): Lease => ({
    fence: lease.fence,
    signal: lost.signal,
    renew: lease.renew,
    abandon: lease.abandon,
    get isLost() {
      return lost.signal.aborted
    },
    [Symbol.asyncDispose]: async () => await lease[Symbol.asyncDispose](),
  })
  return {
    lose: () => lost.abort(),
    list: async (prefix: string) => await leases.list(prefix),
    tryAcquire: async (name: string) => {
      const lease = await leases.tryAcquire(name)
      return lease && losable(lease)
    },
  }
}

/** Files in a scope, which any check that is kept may refuse. */
function openFiles(scope: string): FileAccess {
  const checks = new Set<() => void>()
  const files = {
    user: { id: 1, scope },
    place: {},
    shown: (path: VirtualPath) => path,
    requireStill() {
      for (const check of checks) check()
    },
    keep: (check: () => void) => void checks.add(check),
    [Symbol.dispose]: () => undefined,
  }
  return files as unknown as FileAccess
}

/** A process whose jobs use these records. */
function processWith(
  records = memoryRecords<JobRecord>(),
  scope = '/ann',
  whenSaved = async (): Promise<void> => undefined,
) {
  const leases = losableLeases()
  const clock = movableClock()
  const queue = new JobQueue({ clock, random: systemRandom })
  const ofRequest = openFiles(scope)
  const journal = createJobJournal({ records, steps: memoryRecords(), leases, clock, random: systemRandom })
  const startJob = createStartJob({
    queue,
    journal,
    log: recordingLog(),
    jobBoard: { whenSaved, drop: () => undefined },
    access: { again: async () => openFiles(scope) },
    actorWatch: { onRefused: () => () => undefined },
    heldSessions: { extend: async () => undefined, keepExtending: () => ({ [Symbol.dispose]: () => undefined }) },
  })
  const start = async (work: RecordedWork, actor: Actor = ANN) => await startJob.start(actor, ofRequest, REQUEST, work)
  const resume = async (work: RecordedWork, admit = () => ANN) => {
    const [notes] = await Array.fromAsync(journal.takeOver())
    if (notes === undefined) throw new Error('no job was left')
    const abandoned: string[] = []
    const abandon = async () => void abandoned.push(notes.record.id)
    return { job: startJob.resume(notes, admit, work, abandon), abandoned }
  }
  return {
    queue,
    records,
    ofRequest,
    start,
    resume,
    leases,
    left: async () => (await records.list()).map(({ id }) => id),
  }
}

/** Runs until it is aborted. */
const endless: RecordedWork = async (_files, { signal }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  throwIfCancelled(signal)
  return {}
}

/** A process that was stopped while it worked, after it had noted something. */
async function stoppedProcess() {
  const first = processWith()
  const begun = Promise.withResolvers<void>()
  const { id } = await first.start(async (files, control, notes, target) => {
    await notes.note({ merging: true })
    begun.resolve()
    return await endless(files, control, notes, target)
  })
  await begun.promise
  await first.queue[Symbol.asyncDispose]()
  return { id, records: first.records }
}

describe('the record of a job', () => {
  it('exists before the work begins, and is removed when it is done, has failed or was cancelled', async () => {
    const { start, left, queue } = processWith()
    let during: string[] = []
    const done = await start(async () => {
      during = await left()
      return {}
    })
    await done.done
    expect(during).toEqual([done.id])
    const failed = await start(async () => fail('CONFLICT', 'no'))
    await failed.done.catch(() => undefined)
    const cancelled = await start(endless)
    queue.cancel(cancelled.id)
    await cancelled.done.catch(() => undefined)
    await expect.poll(left).toEqual([])
  })

  it('is not removed before others can see how the job has ended: without both, it would count as failed', async () => {
    const saved = Promise.withResolvers<void>()
    const { start, left } = processWith(memoryRecords(), '/ann', async () => await saved.promise)
    const { id, done } = await start(async () => ({}))
    await done
    await new Promise(setImmediate)
    expect(await left()).toEqual([id])
    saved.resolve()
    await expect.poll(left).toEqual([])
  })

  it('stays when the process stops, whether the job runs or waits', async () => {
    const { start, left, queue } = processWith()
    const ids: string[] = []
    for (let job = 0; job < 4; job += 1) ids.push((await start(endless)).id)
    await queue[Symbol.asyncDispose]()
    expect((await left()).toSorted()).toEqual(ids.toSorted())
  })

  it('is not written for a job that is refused', async () => {
    const { start, left, queue } = processWith()
    for (let job = 0; job < 100; job += 1) await start(endless)
    await expect(start(endless)).rejects.toMatchObject({ code: 'BUSY' })
    expect(await left()).toHaveLength(100)
    for (const { id } of queue.list()) queue.cancel(id, STOPPING)
  })

  it('is not written for the operator, who has no files', async () => {
    const { start, left } = processWith()
    await expect(start(endless, OPERATOR)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await left()).toEqual([])
  })
})

describe('what the request has passed', () => {
  const refused = () => fail('FORBIDDEN', 'a rule denies this path')

  it('must still pass when its job begins', async () => {
    const { start, ofRequest } = processWith()
    ofRequest.keep(refused)
    let hasBegun = false
    const job = await start(async () => {
      hasBegun = true
      return {}
    })
    await expect(job.done).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(hasBegun).toBe(false)
  })

  it('must still pass at each effect of its job', async () => {
    const { start, ofRequest } = processWith()
    const job = await start(async (files) => {
      files.requireStill()
      ofRequest.keep(refused)
      files.requireStill()
      return {}
    })
    await expect(job.done).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('a job whose lease is lost', () => {
  it('ends at once, changes nothing more, and leaves its record to its next owner', async () => {
    const { start, left, queue, leases } = processWith()
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const seen: unknown[] = []
    const job = await start(async (_files, control, notes) => {
      begun.resolve()
      await go.promise
      try {
        notes.requireOwned()
      } catch (error) {
        seen.push(error, control.stopping.aborted, control.signal.reason)
        return fail('BUSY', 'the disk does not respond')
      }
      return {}
    })
    await begun.promise
    leases.lose()
    go.resolve()
    await job.done.catch(() => undefined)
    expect(seen).toMatchObject([{ code: 'CANCELLED' }, true, STOPPING])
    expect(await left()).toEqual([job.id])
    expect(queue.list()).toEqual([])
  })

  it('is refused its next effect, in its first run and when it goes on', async () => {
    const { records } = await stoppedProcess()
    const [first, next] = [processWith(), processWith(records)]
    let effects = 0
    const worksOn =
      ({ leases }: typeof first): RecordedWork =>
      async (files) => {
        files.requireStill()
        leases.lose()
        files.requireStill()
        effects += 1
        return {}
      }
    const jobs = [await first.start(worksOn(first)), (await next.resume(worksOn(next))).job]
    for (const { done } of jobs) await expect(done).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(effects).toBe(0)
  })

  it('has not succeeded either', async () => {
    const { start, left, leases } = processWith()
    const job = await start(async () => {
      leases.lose()
      return {}
    })
    await expect(job.done).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await left()).toEqual([job.id])
  })
})

it('a job whose record cannot be removed is not held: the next owner finds that it is done', async () => {
  const records = memoryRecords<JobRecord>()
  let isAway = true
  const { start, resume, left } = processWith({
    ...records,
    remove: async (id) => (isAway ? fail('STORE_BUSY', 'the database is away') : await records.remove(id)),
  })
  const job = await start(async () => ({}))
  await job.done
  expect(await left()).toEqual([job.id])
  isAway = false
  await expect
    .poll(
      async () =>
        await resume(async () => ({})).then(
          ({ job: again }) => again.done,
          () => undefined,
        ),
    )
    .toBeDefined()
  await expect.poll(left).toEqual([])
})

describe('an interrupted job', () => {
  it('goes on with its id, and knows what was done and when it began', async () => {
    const { id, records } = await stoppedProcess()
    const [record] = await records.list()
    const next = processWith(records)
    let earlier: unknown
    const { job } = await next.resume(async (_files, _control, notes) => {
      earlier = notes.earlier
      return {}
    })
    expect(next.queue.list()).toMatchObject([{ id, kind: 'measure', path: '/a', userID: 1 }])
    await job.done
    expect(earlier).toEqual({ merging: true, since: record?.created })
    await expect.poll(next.left).toEqual([])
  })

  it('holds an identity of the actor, and no rights', async () => {
    const { records } = await stoppedProcess()
    expect(await records.list()).toMatchObject([{ actor: { user: 1, token: 'key' }, scope: '/ann' }])
  })

  it('fails with its reason if the actor may do nothing any more, and is abandoned', async () => {
    const { id, records } = await stoppedProcess()
    const next = processWith(records)
    const { job, abandoned } = await next.resume(endless, () => fail('UNAUTHENTICATED', 'the token was revoked'))
    await expect(job.done).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(abandoned).toEqual([id])
    await expect.poll(next.left).toEqual([])
  })

  it('fails if the account has another folder by now: its paths would lead to other files', async () => {
    const { records } = await stoppedProcess()
    const { job } = await processWith(records, '/elsewhere').resume(async () => ({}))
    await expect(job.done).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

import { describe, expect, it } from 'vitest'
import { fail, FilemgrError } from '../../../../src/domain/errors.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import type { Job } from '../../../../src/domain/automation/job.ts'
import { interrupted, JobQueue, type JobControl, type JobOutcome } from '../../../../src/platform/limits/job-queue.ts'
import { systemRandom } from '../../../../src/platform/security/random.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

const [ANN, BOB] = [1 as UserId, 2 as UserId]

function queueWith(clock = movableClock()): JobQueue {
  return new JobQueue({ clock, random: systemRandom })
}

/** Starts a job that runs until `end` is called or the queue stops it. */
function startHeld(queue: JobQueue, userID: UserId) {
  const gate = Promise.withResolvers<JobOutcome>()
  const started = queue.start({ kind: 'copy', userID, path: '/a' }, async ({ signal }) => {
    signal.addEventListener('abort', () => gate.reject(new Error('stopped')))
    return await gate.promise.catch(() => fail('CANCELLED', 'this was cancelled'))
  })
  return { started, end: () => gate.resolve({}) }
}

const states = (queue: JobQueue) => queue.list().map(({ state }) => state)

describe('the job queue', () => {
  it('runs two jobs of a user and four in all, but one of each of eight users', async () => {
    await using queue = queueWith()
    const of = (user: number) => startHeld(queue, user as UserId).started.job.state
    expect([of(1), of(1), of(1)]).toEqual(['running', 'running', 'waiting'])
    expect([of(2), of(2), of(3), of(3)]).toEqual(['running', 'running', 'running', 'waiting'])
    expect([4, 5, 6, 7].map(of)).toEqual(['running', 'running', 'running', 'waiting'])
  })

  it('does not list a job that goes on elsewhere, whichever notices first', async () => {
    await using queue = queueWith()
    const left = startHeld(queue, ANN).started
    queue.leave(left.id)
    const lost = queue.start({ kind: 'delete', userID: ANN, path: '/a' }, async () => {
      throw interrupted()
    })
    await expect(Promise.allSettled([left.done, lost.done])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    expect([queue.list(), left.isInterrupted, lost.isInterrupted]).toEqual([[], true, true])
  })

  it('lets users take turns, however many jobs one of them has', async () => {
    await using queue = queueWith()
    const [ann, bob] = [1, 2].map((user) => [1, 2, 3, 4, 5].map(() => startHeld(queue, user as UserId)))
    const cat = [3, 4, 5, 6].map((user) => startHeld(queue, user as UserId))
    const late = startHeld(queue, 7 as UserId)
    expect(late.started.job.state).toBe('waiting')
    const end = async (job: typeof late | undefined) => {
      job?.end()
      await job?.started.done
    }
    await end(ann?.[0])
    expect(late.started.job.state).toBe('running')
    for (const job of [...cat, late]) await end(job)
    // Three of four run, and Ann has been waiting for longer.
    expect(ann?.map(({ started }) => started.job.state)).toEqual(['done', 'running', 'running', 'waiting', 'waiting'])
    await end(bob?.[0])
    expect(bob?.[2]?.started.job.state).toBe('running')
  })

  it('says how many jobs of a user may be unfinished', async () => {
    await using queue = queueWith()
    for (let count = 0; count < 100; count += 1) startHeld(queue, ANN)
    expect(() => startHeld(queue, ANN)).toThrow('you have 100 unfinished jobs; wait for some of them, or cancel them')
    startHeld(queue, BOB)
  })

  it('counts jobs that are about to start', async () => {
    await using queue = queueWith()
    for (let count = 0; count < 99; count += 1) startHeld(queue, ANN)
    const place = queue.reserve(ANN)
    expect(() => queue.reserve(ANN)).toThrow('you have 100 unfinished jobs')
    queue.reserve(BOB)
    place[Symbol.dispose]()
    queue.reserve(ANN)
  })

  it('measures folders beside other jobs: one at a time for a user, and two in all', async () => {
    await using queue = queueWith()
    const measure = (user: number) => {
      const gate = Promise.withResolvers<JobOutcome>()
      const work = async ({ signal }: JobControl) => {
        signal.addEventListener('abort', () => gate.reject(new Error('stopped')))
        return await gate.promise
      }
      return queue.start({ kind: 'measure', userID: user as UserId, path: '/a' }, work)
    }
    const measuring = [1, 1, 2, 3].map(measure)
    expect(measuring.map(({ job }) => job.state)).toEqual(['running', 'waiting', 'running', 'waiting'])
    const copies = [1, 2].map(() => startHeld(queue, ANN))
    expect(copies.map(({ started }) => started.job.state)).toEqual(['running', 'running'])
  })

  it('keeps progress, and what was left out', async () => {
    await using queue = queueWith()
    const heard: Job['progress'][] = []
    queue.onChange(({ progress }) => heard.push({ ...progress }))
    const work = async (control: JobControl) => {
      control.expect({ bytes: 10, files: 2 })
      control.advance(4, 1)
      control.advance(6, 1)
      control.leftOut('pipe', 'changed')
      return { checksums: { md5: 'x' } }
    }
    const { done, id } = queue.start({ kind: 'checksum', userID: ANN, path: '/a' }, work)
    expect(await done).toEqual({ checksums: { md5: 'x' } })
    expect(queue.find(id)).toMatchObject({
      state: 'done',
      leftOut: [{ name: 'pipe', reason: 'changed' }],
      checksums: { md5: 'x' },
      progress: { bytes: 10, files: 2, totalBytes: 10, totalFiles: 2 },
    })
    expect(heard).toContainEqual({ bytes: 4, files: 1, totalBytes: 10, totalFiles: 2 })
  })

  it('cancels what runs and what waits', async () => {
    await using queue = queueWith()
    const held = [1, 2, 3].map(() => startHeld(queue, ANN))
    for (const { started } of [...held].reverse()) {
      queue.cancel(started.id)
      await expect(started.done).rejects.toMatchObject(errorLike('CANCELLED'))
    }
    expect(states(queue)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  })

  it('marks a job as failed, with the reason, if it was not a user who cancelled it', async () => {
    await using queue = queueWith()
    const held = [1, 2, 3].map(() => startHeld(queue, ANN).started)
    const reason = new FilemgrError('STORE_BUSY', 'the database is away')
    for (const { id } of held) queue.cancel(id, reason)
    await Promise.allSettled(held.map(async ({ done }) => await done))
    for (const { job } of held) expect(job).toMatchObject({ state: 'failed', error: { code: 'STORE_BUSY' } })
  })

  it('reports an unexpected failure without internal details', async () => {
    await using queue = queueWith()
    const start = (error: Error) =>
      queue.start({ kind: 'copy', userID: ANN, path: '/a' }, async () => await Promise.reject(error))
    const inside = start(new Error('a path of the disk'))
    await expect(inside.done).rejects.toThrow('a path of the disk')
    expect(inside.job).toMatchObject({
      state: 'failed',
      error: { code: 'INTERNAL', message: 'internal error; see the log' },
    })
  })

  it('refuses another job of a user with a hundred open jobs', async () => {
    await using queue = queueWith()
    Array.from({ length: 100 }, () => startHeld(queue, ANN))
    expect(() => startHeld(queue, ANN)).toThrow(errorLike('BUSY'))
    startHeld(queue, BOB)
  })

  it('forgets jobs that ended an hour ago', async () => {
    const clock = movableClock()
    await using queue = queueWith(clock)
    await queue.start({ kind: 'copy', userID: ANN, path: '/a' }, async () => ({})).done
    clock.move(59 * 60 * 1000)
    expect(queue.list(ANN)).toHaveLength(1)
    clock.move(2 * 60 * 1000)
    expect(queue.list(ANN)).toEqual([])
  })

  it('stops all jobs when it is disposed of', async () => {
    const queue = queueWith()
    const { started } = startHeld(queue, ANN)
    await queue[Symbol.asyncDispose]()
    expect(started.job.state).toBe('cancelled')
  })
})

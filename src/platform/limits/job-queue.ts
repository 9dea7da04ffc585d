import { cancelled, fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { failureOf } from '../../domain/failure.ts'
import type { UserId } from '../../domain/ids.ts'
import { inBrief, isForgotten, isOver, type Job, type Progress } from '../../domain/automation/job.ts'
import { LeftOutList, type LeftOutReason } from '../../domain/files/left-out.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../security/random.ts'

/** Jobs that run at the same time: for one user, and in total. */
const MAX_RUNNING_PER_USER = 2
const MAX_RUNNING = 4
/** In total, for users of whom no job runs: two users with long jobs must not keep all others waiting. */
const MAX_RUNNING_FIRST = 8
/** Measuring jobs that run beside the others: one for each user, and this many in total. */
const MAX_MEASURING = 2
/** Jobs of one user that wait or run. */
const MAX_UNFINISHED = 100
/** Finished jobs that are listed. */
const MAX_FINISHED = 1000

/**
 * Abort reason when the process stops, or another one has taken over the job. Jobs then skip cleaning up what the one that
 * continues them can clean up.
 */
export const STOPPING = Symbol('stopping')

/** Passed to running jobs, to report progress and learn of cancellation. */
export interface JobControl {
  readonly signal: AbortSignal
  /**
   * Aborts when the job must be left as it is, because the process stops or another one has taken it over, even if it was cancelled
   * before and is cleaning up. Then throw `interrupted()`.
   */
  readonly stopping: AbortSignal
  /** Sets the total for the progress. */
  expect(total: { readonly bytes?: number; readonly files?: number }): void
  advance(bytes: number, files: number): void
  /** @param as its name in the result, if it is there after all */
  leftOut(name: string, reason: LeftOutReason, as?: string): void
}

/** For a job that has to be continued by another process. */
export function interrupted(): FilemgrError {
  return new FilemgrError('CANCELLED', 'this server stops; the job goes on at the next one', {}, { cause: STOPPING })
}

export type JobFacts = Pick<Job, 'kind' | 'userID' | 'path' | 'destination'>
export type JobOutcome = Pick<Job, 'checksums' | 'renames' | 'made'>
export type JobWork = (control: JobControl) => Promise<JobOutcome>

export interface StartedJob {
  readonly id: string
  /** A copy of its current state. */
  readonly job: Job
  /** Settles like the work. */
  readonly done: Promise<JobOutcome>
  /** The job has ended only because the process stops, or another one has taken it over. */
  readonly isInterrupted: boolean
}

/** A job that an earlier process has begun. */
export type EarlierJob = Pick<Job, 'id' | 'created'>

export interface JobQueueDeps {
  readonly clock: Clock
  readonly random: Random
}

type OpenJob = { -readonly [K in keyof Job]: Job[K] } & { progress: Progress }

interface Entry {
  readonly job: OpenJob
  readonly leftOut: LeftOutList
  readonly abort: AbortController
  /** Aborted when another process has taken over the job. */
  readonly leaving: AbortController
  readonly work: JobWork
  readonly outcome: PromiseWithResolvers<JobOutcome>
  isInterrupted: boolean
}

interface Limits {
  readonly perUser: number
  readonly total: number
  /** In total, for users of whom none runs. */
  readonly first: number
}

/** Runs long work, a few jobs at a time. Jobs are in memory only: who starts them remembers what must outlive the process. */
export class JobQueue implements AsyncDisposable {
  readonly #deps: JobQueueDeps
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<(job: Job) => void>()
  /** When a job of each user was started last, as a running number. */
  readonly #turns = new Map<UserId, number>()
  #turn = 0
  readonly #reserved = new Set<{ readonly userId: UserId }>()
  readonly #stopping = new AbortController()

  constructor(deps: JobQueueDeps) {
    this.#deps = deps
  }

  /**
   * Keeps a place for a job that is about to start, until the result is disposed of: otherwise requests that come at the same time
   * would all find room.
   *
   * @throws BUSY if too many jobs of the user are unfinished
   */
  reserve(userId: UserId): Disposable {
    this.#requireRoom(userId)
    const place = { userId }
    this.#reserved.add(place)
    return { [Symbol.dispose]: () => void this.#reserved.delete(place) }
  }

  #requireRoom(userId: UserId): void {
    const unfinished = this.#jobsOf(userId).filter(({ job }) => !isOver(job)).length
    const reserved = [...this.#reserved].filter((place) => place.userId === userId).length
    if (unfinished + reserved >= MAX_UNFINISHED)
      fail('BUSY', `you have ${MAX_UNFINISHED} unfinished jobs; wait for some of them, or cancel them`, {
        retryAfter: 10,
      })
  }

  /** @param earlier keeps its id and time, and is never refused @throws BUSY as `reserve` */
  start(facts: JobFacts, work: JobWork, earlier?: EarlierJob): StartedJob {
    this.#removeOld()
    if (earlier === undefined) this.#requireRoom(facts.userID)
    const leftOut = new LeftOutList()
    const job: OpenJob = {
      ...(earlier ?? { id: this.#deps.random.token(12), created: this.#now() }),
      ...facts,
      state: 'waiting',
      progress: { bytes: 0, files: 0 },
      leftOut: leftOut.entries,
    }
    const entry: Entry = {
      job,
      leftOut,
      abort: new AbortController(),
      leaving: new AbortController(),
      work,
      outcome: Promise.withResolvers(),
      isInterrupted: false,
    }
    // Callers may ignore the outcome: its rejection must not end the process.
    entry.outcome.promise.catch(() => undefined)
    this.#entries.set(job.id, entry)
    this.#notify(entry)
    this.#startWaiting()
    return started(entry)
  }

  /** Without their `renames`, newest first. Without a user, the jobs of all users. */
  list(userId?: UserId): Job[] {
    this.#removeOld()
    const entries = userId === undefined ? [...this.#entries.values()] : this.#jobsOf(userId)
    return entries.map(({ job }) => structuredClone(inBrief(job))).reverse()
  }

  find(id: string): Job | undefined {
    const found = this.#entries.get(id)
    return found && structuredClone(found.job)
  }

  /**
   * Stops a job at its next step. What it has done so far is not undone.
   *
   * @param reason an error makes the job fail with it, instead of counting as cancelled
   */
  cancel(id: string, reason?: typeof STOPPING | FilemgrError): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || isOver(entry.job)) return
    entry.abort.abort(reason)
    if (entry.job.state === 'waiting') this.#end(entry, isFilemgrError(reason) ? reason : cancelled())
  }

  /** Another process has taken over the job: it stops at once, undoes nothing, and is listed here no more. */
  leave(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || isOver(entry.job)) return
    entry.leaving.abort(STOPPING)
    this.cancel(id, STOPPING)
  }

  /** Called after each change of a job, except for the end of an interrupted one. @returns a function that unsubscribes */
  onChange(listener: (job: Job) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Stops all jobs and waits for their ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(STOPPING)
    const unfinished = [...this.#entries.values()].filter(({ job }) => !isOver(job))
    for (const { job } of unfinished) this.cancel(job.id, STOPPING)
    await Promise.allSettled(unfinished.map(async ({ outcome }) => await outcome.promise))
  }

  #jobsOf(userId: UserId): Entry[] {
    return [...this.#entries.values()].filter(({ job }) => job.userID === userId)
  }

  #startWaiting(): void {
    const entries = [...this.#entries.values()]
    const isMeasuring = ({ job }: Entry) => job.kind === 'measure'
    this.#startNext(entries.filter(isMeasuring), { perUser: 1, total: MAX_MEASURING, first: MAX_MEASURING })
    this.#startNext(
      entries.filter((entry) => !isMeasuring(entry)),
      { perUser: MAX_RUNNING_PER_USER, total: MAX_RUNNING, first: MAX_RUNNING_FIRST },
    )
  }

  /** Users take turns: next is the oldest job of the user of whom the fewest run, and of those the one who waited longest. */
  #startNext(entries: readonly Entry[], { perUser, total, first }: Limits): void {
    for (;;) {
      const running = entries.filter(({ job }) => job.state === 'running')
      const runningOf = (userID: UserId) => running.filter(({ job }) => job.userID === userID).length
      const candidates = [...Map.groupBy(entries, ({ job }) => job.userID)].flatMap(([userID, own]) => {
        const next = own.find(({ job }) => job.state === 'waiting')
        const count = runningOf(userID)
        const hasRoom = count === 0 ? running.length < first : count < perUser && running.length < total
        return next === undefined || !hasRoom ? [] : [{ next, count, turn: this.#turns.get(userID) ?? 0 }]
      })
      const [chosen] = candidates.toSorted((a, b) => a.count - b.count || a.turn - b.turn)
      if (chosen === undefined) return
      this.#turn += 1
      this.#turns.set(chosen.next.job.userID, this.#turn)
      void this.#run(chosen.next)
    }
  }

  async #run(entry: Entry): Promise<void> {
    const { job, leftOut, abort, work } = entry
    job.state = 'running'
    this.#notify(entry)
    try {
      const outcome = await work({
        signal: abort.signal,
        stopping: AbortSignal.any([this.#stopping.signal, entry.leaving.signal]),
        expect: ({ bytes, files }) => {
          job.progress = {
            ...job.progress,
            ...(bytes !== undefined && { totalBytes: bytes }),
            ...(files !== undefined && { totalFiles: files }),
          }
          this.#notify(entry)
        },
        advance: (bytes, files) => {
          job.progress.bytes += bytes
          job.progress.files += files
          this.#notify(entry)
        },
        leftOut: leftOut.add,
      })
      this.#end(entry, outcome)
    } catch (thrown) {
      const reason: unknown = abort.signal.reason
      const error = isFilemgrError(thrown, 'CANCELLED') && isFilemgrError(reason) ? reason : thrown
      this.#end(entry, error instanceof Error ? error : new Error(String(error)))
    }
  }

  #end(entry: Entry, end: JobOutcome | Error): void {
    const { job, outcome } = entry
    job.ended = this.#now()
    if (end instanceof Error) {
      job.state = isFilemgrError(end, 'CANCELLED') ? 'cancelled' : 'failed'
      job.error = failureOf(end)
      entry.isInterrupted =
        entry.leaving.signal.aborted ||
        (job.state === 'cancelled' && (end.cause === STOPPING || entry.abort.signal.reason === STOPPING))
      outcome.reject(end)
    } else {
      Object.assign(job, end, { state: 'done' })
      outcome.resolve(end)
    }
    if (!entry.isInterrupted) this.#notify(entry)
    // Also one that has found that it is not ours any more before we were told.
    if (entry.isInterrupted && !this.#stopping.signal.aborted) this.#entries.delete(job.id)
    this.#startWaiting()
  }

  #notify({ job }: Entry): void {
    for (const listener of this.#listeners) listener(job)
  }

  #removeOld(): void {
    const now = this.#deps.clock.now()
    const finished = [...this.#entries.values()].filter(({ job }) => isOver(job))
    const surplus = finished.length - MAX_FINISHED
    finished.forEach(({ job }, index) => {
      if (index < surplus || isForgotten(job, now)) this.#entries.delete(job.id)
    })
    for (const userId of this.#turns.keys()) if (this.#jobsOf(userId).length === 0) this.#turns.delete(userId)
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString()
  }
}

function started(entry: Entry): StartedJob {
  return {
    id: entry.job.id,
    get job() {
      return structuredClone(entry.job)
    },
    done: entry.outcome.promise,
    get isInterrupted() {
      return entry.isInterrupted
    },
  }
}

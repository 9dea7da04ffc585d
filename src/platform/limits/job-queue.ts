import { fail, isFilemgrError, cancelled } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { isOver, type Job, type Progress } from '../../domain/job.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../security/random.ts'

/** So many run at once: of one user, and of all. */
const PER_USER = 2
const IN_ALL = 4
/** So many of one user may wait or run. */
const MOST_OPEN = 100
/** Ended jobs are remembered this long, in milliseconds, and so many at most. */
const REMEMBERED = 60 * 60 * 1000
const MOST_ENDED = 1000
const MOST_LEFT_OUT = 100

/** Why a job is stopped when the process ends: it has no time to clear up what the next start can. */
export const STOPPING = Symbol('stopping')

/** What a job is told and asked while it runs. */
export interface JobControl {
  readonly signal: AbortSignal
  /** How much there is to do. */
  expect(total: { readonly bytes?: number; readonly files?: number }): void
  advance(bytes: number, files: number): void
  leftOut(name: string): void
}

export type JobFacts = Pick<Job, 'kind' | 'userID' | 'path' | 'destination'>
export type JobOutcome = Pick<Job, 'checksums'>
export type JobWork = (control: JobControl) => Promise<JobOutcome>

/** A job on its way. */
export interface StartedJob {
  readonly id: string
  /** As it is now. */
  readonly job: Job
  /** Resolves or throws with the work. */
  readonly done: Promise<JobOutcome>
}

export interface JobQueueDeps {
  readonly clock: Clock
  readonly random: Random
}

type OpenJob = { -readonly [K in keyof Job]: Job[K] } & { progress: Progress }

interface Entry {
  readonly job: OpenJob
  readonly abort: AbortController
  readonly work: JobWork
  readonly outcome: PromiseWithResolvers<JobOutcome>
}

/** Long work, a few at a time, in the order it came. Jobs live in memory: they end with the process. */
export class JobQueue implements AsyncDisposable {
  readonly #deps: JobQueueDeps
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<(job: Job) => void>()

  constructor(deps: JobQueueDeps) {
    this.#deps = deps
  }

  /** @throws BUSY when the user has too many already */
  start(facts: JobFacts, work: JobWork): StartedJob {
    this.#forgetOld()
    const open = this.#of(facts.userID).filter(({ job }) => !isOver(job))
    if (open.length >= MOST_OPEN) fail('BUSY', 'too many jobs wait already; try again later', { retryAfter: 10 })
    const job: OpenJob = {
      id: this.#deps.random.token(12),
      ...facts,
      state: 'waiting',
      progress: { bytes: 0, files: 0 },
      leftOut: [],
      created: this.#now(),
    }
    const entry: Entry = { job, abort: new AbortController(), work, outcome: Promise.withResolvers() }
    // Waiting is optional; those who wait are told.
    entry.outcome.promise.catch(() => undefined)
    this.#entries.set(job.id, entry)
    this.#notify(entry)
    this.#admit()
    return started(entry)
  }

  /** Latest first; without a user, the jobs of all users. */
  list(userId?: UserId): Job[] {
    this.#forgetOld()
    const entries = userId === undefined ? [...this.#entries.values()] : this.#of(userId)
    return entries.map(({ job }) => structuredClone(job)).reverse()
  }

  find(id: string): Job | undefined {
    const found = this.#entries.get(id)
    return found && structuredClone(found.job)
  }

  /** Stops it at its next step; what it has done so far stays as the work leaves it. */
  cancel(id: string, reason?: typeof STOPPING): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || isOver(entry.job)) return
    entry.abort.abort(reason)
    if (entry.job.state === 'waiting') this.#end(entry, cancelled())
  }

  /** Hears of each change of a job. */
  onChange(listener: (job: Job) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Stops all and waits until they have let go. */
  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#entries.values()].filter(({ job }) => !isOver(job))
    for (const { job } of open) this.cancel(job.id, STOPPING)
    await Promise.allSettled(open.map(async ({ outcome }) => await outcome.promise))
  }

  #of(userId: UserId): Entry[] {
    return [...this.#entries.values()].filter(({ job }) => job.userID === userId)
  }

  #admit(): void {
    const running = [...this.#entries.values()].filter(({ job }) => job.state === 'running')
    for (const entry of this.#entries.values()) {
      if (running.length >= IN_ALL) return
      if (entry.job.state !== 'waiting') continue
      if (running.filter(({ job }) => job.userID === entry.job.userID).length >= PER_USER) continue
      running.push(entry)
      void this.#run(entry)
    }
  }

  async #run(entry: Entry): Promise<void> {
    const { job, abort, work } = entry
    job.state = 'running'
    this.#notify(entry)
    try {
      const outcome = await work({
        signal: abort.signal,
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
        leftOut: (name) => {
          if (job.leftOut.length < MOST_LEFT_OUT) job.leftOut.push(name)
        },
      })
      this.#end(entry, outcome)
    } catch (error) {
      this.#end(entry, error instanceof Error ? error : new Error(String(error)))
    }
  }

  #end(entry: Entry, end: JobOutcome | Error): void {
    const { job, outcome } = entry
    job.ended = this.#now()
    if (end instanceof Error) {
      job.state = isFilemgrError(end, 'CANCELLED') ? 'cancelled' : 'failed'
      job.error = publicError(end)
      outcome.reject(end)
    } else {
      Object.assign(job, end, { state: 'done' })
      outcome.resolve(end)
    }
    this.#notify(entry)
    this.#admit()
  }

  #notify({ job }: Entry): void {
    for (const listener of this.#listeners) listener(job)
  }

  #forgetOld(): void {
    const since = this.#deps.clock.now() - REMEMBERED
    const ended = [...this.#entries.values()].filter(({ job }) => isOver(job))
    const surplus = ended.length - MOST_ENDED
    ended.forEach(({ job }, index) => {
      if (index < surplus || Date.parse(job.ended ?? '') < since) this.#entries.delete(job.id)
    })
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
  }
}

/** What is wrong inside is for the log only. */
function publicError(error: Error): { code: string; message: string } {
  const isTold = isFilemgrError(error) && error.code !== 'INTERNAL'
  return isTold
    ? { code: error.code, message: error.message }
    : { code: 'INTERNAL', message: 'something went wrong inside' }
}

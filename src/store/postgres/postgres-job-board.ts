import { fail, type FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { isForgotten, isOver, type Job } from '../../domain/automation/job.ts'
import type { JobRecord } from '../../domain/automation/job-record.ts'
import type { JobBoard, JobHolder, Lease, Leases, LeaseState, Messages, Records } from '../store.ts'

/** Milliseconds between two saves of a job's progress. */
const PROGRESS_INTERVAL = 1000
/** Milliseconds between checks for jobs whose daemon has died, and until a cancellation is repeated. */
const CHECK_INTERVAL = 5000
const REPEAT_INTERVAL = 1000

const STOPPED = { code: 'UNAVAILABLE', message: 'the server that ran it stopped' }

interface Shown {
  /** The live job, which changes. */
  readonly job: Job
  readonly by: JobHolder
  saved: Job['state'] | undefined
  isDue: boolean
  isDropped: boolean
  /** Of a job that nobody else could continue. */
  lease: Lease | undefined
  saving: Promise<void> | undefined
  /** Ends the pause before the next state is saved. */
  wake: () => void
}

interface PostgresJobBoardDeps {
  readonly leases: Leases
  readonly messages: Messages
  readonly records: Records<Job>
  readonly unfinished: Records<JobRecord>
}

/**
 * Stores the states of jobs as records. A job counts as running while its daemon holds the lease of the job, or another daemon
 * will continue it.
 */
export class PostgresJobBoard implements JobBoard, AsyncDisposable {
  readonly #deps: PostgresJobBoardDeps
  /** Jobs of this daemon that are not over. */
  readonly #shown = new Map<string, Shown>()
  /** Jobs of other daemons that are not over. */
  readonly #others = new Map<string, Job>()
  /** Ids of jobs of other daemons that were cancelled here. */
  readonly #cancelled = new Set<string>()
  readonly #listeners = new Set<(job: Job) => void>()
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: PostgresJobBoardDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.messages.subscribe({
      received: (kind, content) => {
        const { id } = content as { readonly id: string }
        if (kind === 'job' && this.#listeners.size > 0) void this.#announce(id).catch(() => undefined)
        if (kind === 'cancel') this.#shown.get(id)?.by.stop()
      },
      gap: () => undefined,
    })
  }

  show(job: Job, by: JobHolder): void {
    const shown = this.#shown.get(job.id) ?? newlyShown(job, by)
    this.#shown.set(job.id, shown)
    this.#others.delete(job.id)
    shown.isDue = true
    if (job.state !== shown.saved) shown.wake()
    shown.saving ??= this.#save(shown)
  }

  async whenSaved(id: string): Promise<void> {
    await this.#shown.get(id)?.saving
  }

  drop(id: string): void {
    const shown = this.#shown.get(id)
    this.#shown.delete(id)
    if (shown === undefined) return
    shown.isDropped = true
    shown.wake()
  }

  async list(): Promise<Job[]> {
    const jobs = await this.#withOutcomes(await this.#deps.records.list(), '')
    const others = jobs.filter(({ id }) => !this.#shown.has(id))
    for (const job of others) this.#follow(job)
    return others.filter(isRecent)
  }

  async find(id: string): Promise<Job | undefined> {
    const [found] = await this.#withOutcomes(await this.#deps.records.list({ id }), id)
    if (found === undefined) return undefined
    // Its daemon may die before it sends the first message about the job.
    if (!isOver(found) && !this.#shown.has(id)) this.#follow(found)
    return found
  }

  async cancel(id: string): Promise<void> {
    const job = await this.find(id)
    if (job === undefined || isOver(job)) return
    this.#cancelled.add(id)
    this.#deps.messages.send('cancel', { id })
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#checkLater()
  }

  onChange(listener: (job: Job) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async prune(): Promise<void> {
    const jobs = await this.#withOutcomes(await this.#deps.records.list(), '')
    const old = jobs.filter((job) => !isRecent(job)).map(({ id }) => id)
    await this.#deps.records.remove(...old)
    for (const id of old) await (await this.#deps.leases.tryAcquire(leaseOf(id)))?.[Symbol.asyncDispose]()
  }

  /** @param id of the only job, or "" */
  async #withOutcomes(jobs: readonly Job[], id: string): Promise<Job[]> {
    if (jobs.every(isOver)) return [...jobs]
    const leases = await this.#deps.leases.list(leaseOf(id))
    const isHeld = (job: Job) => leases.some((lease) => lease.isHeld && lease.name === leaseOf(job.id))
    if (jobs.every((job) => isOver(job) || isHeld(job))) return [...jobs]
    const unfinished = new Set((await this.#deps.unfinished.list(id === '' ? {} : { id })).map((each) => each.id))
    return jobs.map((job) => (unfinished.has(job.id) ? job : withOutcome(job, leases)))
  }

  async #save(shown: Shown): Promise<void> {
    while (shown.isDue && !shown.isDropped) {
      shown.isDue = false
      const job = structuredClone(shown.job)
      try {
        if (shown.by.lease === undefined && !isOver(job)) shown.lease ??= await this.#leaseFor(shown)
        await this.#deps.records.put(job, shown.by.lease)
        shown.saved = job.state
        this.#deps.messages.send('job', { id: job.id })
        if (isOver(job)) break
      } catch (error) {
        if (isFilemgrError(error, 'CANCELLED') || shown.by.lease?.isLost === true) break
        // The database is away: try again after the pause.
        shown.isDue = true
      }
      if (this.#isClosed) break
      if (shown.job.state === shown.saved || shown.isDue) await pauseSaving(shown)
    }
    shown.saving = undefined
    if (!isOver(shown.job)) return
    if (this.#shown.get(shown.job.id) === shown) this.#shown.delete(shown.job.id)
    await shown.lease?.[Symbol.asyncDispose]()
  }

  async #leaseFor(shown: Shown): Promise<Lease> {
    const lease = await this.#deps.leases.tryAcquire(leaseOf(shown.job.id))
    if (lease === undefined) return fail('INTERNAL', 'somebody else has the lease of this job')
    lease.signal.addEventListener('abort', () => shown.by.stop(lease.signal.reason as FilemgrError), { once: true })
    return lease
  }

  async #announce(id: string): Promise<void> {
    const [job] = await this.#deps.records.list({ id })
    if (job !== undefined) this.#notify(job)
  }

  #notify(job: Job): void {
    this.#follow(job)
    for (const listener of this.#listeners) listener(job)
  }

  #follow(job: Job): void {
    if (isOver(job)) this.#others.delete(job.id)
    else this.#others.set(job.id, job)
    if (this.#others.size > 0) this.#checkLater()
  }

  #checkLater(): void {
    const interval = this.#cancelled.size > 0 ? REPEAT_INTERVAL : CHECK_INTERVAL
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.#check(), interval).unref()
  }

  /** Finds jobs whose daemon has died, and repeats cancellations, whose messages may have been lost. */
  async #check(): Promise<void> {
    const leases = await this.#deps.leases.list('job/').catch(() => undefined)
    this.#timer = undefined
    const isAlive = (id: string) => leases?.some(({ name, isHeld }) => isHeld && name === leaseOf(id)) !== false
    for (const id of this.#cancelled) {
      // Of a job whose daemon has died, the next one must hear.
      this.#shown.get(id)?.by.stop()
      if (this.#others.has(id)) this.#deps.messages.send('cancel', { id })
      else this.#cancelled.delete(id)
    }
    const dead = [...this.#others.keys()].filter((id) => !isAlive(id))
    for (const id of dead) {
      const job = await this.find(id).catch(() => undefined)
      if (job === undefined) this.#others.delete(id)
      else this.#notify(job)
    }
    if (this.#others.size > 0 || this.#cancelled.size > 0) this.#checkLater()
  }

  /** Call after the jobs have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#unsubscribe()
    for (const shown of this.#shown.values()) shown.wake()
    await Promise.all([...this.#shown.values()].map(async ({ saving }) => await saving))
  }
}

function newlyShown(job: Job, by: JobHolder): Shown {
  const nothing = { saved: undefined, lease: undefined, saving: undefined, wake: () => undefined }
  return { job, by, isDue: false, isDropped: false, ...nothing }
}

async function pauseSaving(shown: Shown): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PROGRESS_INTERVAL).unref()
    shown.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

function leaseOf(id: string): string {
  return `job/${id}`
}

/** The job, as failed if it is not over but its daemon has died. */
function withOutcome(job: Job, leases: readonly LeaseState[]): Job {
  const lease = leases.find(({ name }) => name === leaseOf(job.id))
  if (isOver(job) || lease?.isHeld === true) return job
  return { ...job, state: 'failed', error: STOPPED, ended: lease ? new Date(lease.until).toISOString() : job.created }
}

function isRecent(job: Job): boolean {
  return !isForgotten(job, Date.now())
}

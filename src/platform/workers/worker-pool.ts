import { clearInterval, setInterval } from 'node:timers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { cancelled, throwIfCancelled } from '../../domain/errors.ts'
import { Budget, type Permit } from '../limits/budget.ts'
import { DiskWait, DISK_TIMEOUT, diskStalled } from '../limits/disk-wait.ts'
import { HeavyMemory } from '../limits/heavy-memory.ts'
import { bytesOfThread } from '../limits/memory-plan.ts'
import { RunningJob, type Post } from './running-job.ts'
import type { FromWorker, WorkerStart } from './worker-messages.ts'

export interface WorkerPoolOptions {
  /** The file that calls `serveJobs`. */
  readonly entry: URL
  /** Most threads; each starts when it is needed. */
  readonly size: number
  /** Heap of one thread in MiB. A job that needs more fails without affecting other threads. */
  readonly heap: number
  /** Niceness of the threads, 0 to 19: how far they yield to the event loop when the CPUs are busy. Linux only. */
  readonly niceness?: number
  /** Milliseconds without work after which a thread ends, to free its memory. */
  readonly idle?: number
  /** Milliseconds in one step after which a thread counts as stuck. */
  readonly timeout?: number
  /**
   * Most jobs of a kind at the same time, also of slow receivers: those of a thread share its heap. Further ones wait, then get
   * BUSY. Other kinds have no limit.
   */
  readonly jobs?: Readonly<Record<string, number>>
  /** Where each thread takes its memory, as long as it lives. */
  readonly memory?: HeavyMemory
}

/** Milliseconds between checks for stuck threads. */
const CHECK_INTERVAL = 1000
/** How many stuck threads are replaced by new ones. */
const MAX_STUCK = 2
/** Milliseconds that a closing pool waits for its threads. */
const TERMINATION_LIMIT = 2000
/** Milliseconds that a job waits for others to end. */
const JOBS_TIMEOUT = 10_000

interface PoolWorker {
  readonly thread: Worker
  readonly jobs: Map<number, RunningJob>
  readonly room: Disposable
  readonly pulse: Int32Array
  /** The step at the last check, and for how many checks in a row the worker has been in it. */
  lastCheck: { readonly step: number; readonly repeats: number }
  isStuck: boolean
  idleTimer: NodeJS.Timeout | undefined
}

/** A few threads for work that would block the event loop. */
export class WorkerPool implements AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Set<PoolWorker>()
  readonly #memory: HeavyMemory
  readonly #turns: ReadonlyMap<string, Budget>
  readonly #spare: Disposable
  #lastId = 0
  #isClosed = false
  #watch: NodeJS.Timeout | undefined
  /** How many keep the threads alive. */
  #keepers = 0

  constructor(options: WorkerPoolOptions) {
    const { jobs = {}, memory = new HeavyMemory() } = options
    this.#options = options
    this.#memory = memory
    const refusal = 'the server does too much of this at once: try again in a moment'
    const turns = Object.entries(jobs).map(
      ([kind, max]) => [kind, new Budget({ max, timeout: JOBS_TIMEOUT, refusal })] as const,
    )
    this.#turns = new Map(turns)
    this.#spare = memory.onWanted(() => this.#endIdle())
  }

  /** Whether another job would have a thread for itself. */
  get hasIdle(): boolean {
    return this.#workers.size < this.#options.size || [...this.#workers].some(({ jobs }) => jobs.size === 0)
  }

  /**
   * Runs a job: yields its parts and returns its result. However the generator ends, the worker no longer uses the input by
   * then, so the caller may close descriptors in it.
   */
  run(kind: string, input: unknown, signal?: AbortSignal): AsyncGenerator<unknown, unknown, void> {
    return this.#run(kind, input, signal, false)
  }

  /**
   * Like `run`, for a job whose parts are bytes in lent memory: a part is valid until the consumer asks for the next one, because
   * the worker then reuses its memory. Gigabytes pass through a few buffers, without work for the garbage collector.
   */
  runLent(kind: string, input: unknown, signal?: AbortSignal): AsyncGenerator<unknown, unknown, void> {
    return this.#run(kind, input, signal, true)
  }

  /**
   * Waits until there is a thread with its memory, and keeps it alive until this is disposed of. Work of several jobs that has
   * begun to answer then never waits for memory between them.
   *
   * @throws BUSY, CANCELLED
   */
  async keep(signal?: AbortSignal): Promise<Disposable> {
    if (this.#usable.length > 0 && this.#keepers === 0) await this.#memory.letOthersFirst(signal)
    while (this.#usable.length === 0) {
      if (this.#workers.size >= this.#options.size + MAX_STUCK) throw diskStalled()
      this.#startFirst(await this.#memory.acquire(bytesOfThread(this.#options.heap), signal))
    }
    this.#keepers += 1
    let isKept = true
    return {
      [Symbol.dispose]: () => {
        if (!isKept) return
        isKept = false
        this.#keepers -= 1
        if (this.#memory.isWanted) this.#endIdle()
      },
    }
  }

  async *#run(
    kind: string,
    input: unknown,
    signal: AbortSignal | undefined,
    isLent: boolean,
  ): AsyncGenerator<unknown, unknown, void> {
    throwIfCancelled(signal)
    if (this.#isClosed) throw cancelled()
    using _turn = await this.#turns.get(kind)?.acquire(1, signal)
    const job = await this.#begin(kind, input, signal)
    const onAbort = () => job.abort()
    signal?.addEventListener('abort', onAbort)
    // While it waited for its thread.
    if (signal?.aborted === true) job.abort()
    try {
      for (;;) {
        const next = await job.next()
        if (next.type === 'result') return next.result
        yield next.part
        job.requestMore(isLent ? memoryOf(next.part) : undefined)
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      await job.end()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#spare[Symbol.dispose]()
    clearInterval(this.#watch)
    // Stuck threads cannot be terminated until the disk responds, so do not wait for them, nor long for one that may be stuck.
    const ending = [...this.#workers].filter(({ isStuck }) => !isStuck)
    for (const { thread, isStuck } of this.#workers) {
      // Until it ends, the process goes on, and ends at its deadline. Its exit would wait for the thread, and nothing could end that.
      thread.ref()
      if (isStuck) void thread.terminate()
    }
    const limit = sleep(TERMINATION_LIMIT, undefined, { ref: false })
    await Promise.all(ending.map(async ({ thread }) => await Promise.race([thread.terminate(), limit])))
  }

  async #begin(kind: string, input: unknown, signal: AbortSignal | undefined): Promise<RunningJob> {
    using _thread = await this.keep(signal)
    return this.#start(kind, input)
  }

  #start(kind: string, input: unknown): RunningJob {
    const worker = this.#choose()
    const id = (this.#lastId += 1)
    const post: Post = (message, transfer) => worker.thread.postMessage(message, transfer)
    const job = new RunningJob(id, post, DiskWait.current)
    clearTimeout(worker.idleTimer)
    worker.thread.ref()
    worker.jobs.set(id, job)
    this.#watch ??= setInterval(() => this.#findStuck(), CHECK_INTERVAL).unref()
    post({ id, type: 'start', kind, input })
    return job
  }

  /** @throws CANCELLED */
  #startFirst(room: Permit): void {
    // Another job may have been first.
    if (!this.#isClosed && this.#usable.length === 0) this.#startWorker(room)
    else room[Symbol.dispose]()
    if (this.#isClosed) throw cancelled()
  }

  get #usable(): PoolWorker[] {
    return [...this.#workers].filter(({ isStuck }) => !isStuck)
  }

  /** An idle worker, a new one if there is memory for it, or the one with the fewest jobs. */
  #choose(): PoolWorker {
    const [first, ...others] = this.#usable
    if (first === undefined) throw diskStalled()
    const least = others.reduce((best, worker) => (best.jobs.size <= worker.jobs.size ? best : worker), first)
    if (least.jobs.size === 0 || others.length + 1 >= this.#options.size) return least
    const room = this.#memory.tryAcquire(bytesOfThread(this.#options.heap))
    return room === undefined ? least : this.#startWorker(room)
  }

  #startWorker(room: Permit): PoolWorker {
    const { entry, heap, niceness = 0 } = this.#options
    const pulse = new SharedArrayBuffer(8)
    const workerData = { niceness, pulse } satisfies WorkerStart
    const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 8 }
    const worker: PoolWorker = {
      thread: new Worker(entry, { resourceLimits, workerData }),
      jobs: new Map(),
      room,
      pulse: new Int32Array(pulse),
      lastCheck: { step: 0, repeats: 0 },
      isStuck: false,
      idleTimer: undefined,
    }
    worker.thread.on('message', (message: FromWorker) => this.#receive(worker, message))
    // For example, out of memory.
    worker.thread.on('error', (error) => this.#onExit(worker, error))
    worker.thread.on('exit', () => {
      room[Symbol.dispose]()
      this.#onExit(worker, undefined)
    })
    this.#workers.add(worker)
    return worker
  }

  /**
   * Finds threads that are stuck in a call to a stalled disk. They cannot be terminated, so new ones replace them. Counts checks
   * rather than time, because threads of a machine that was suspended for a minute are not stuck.
   */
  #findStuck(): void {
    const { timeout = DISK_TIMEOUT } = this.#options
    for (const worker of this.#workers) {
      const step = Atomics.load(worker.pulse, 0)
      const isInStep = Atomics.load(worker.pulse, 1) === 1
      const repeats = isInStep && step === worker.lastCheck.step ? worker.lastCheck.repeats + 1 : 0
      worker.lastCheck = { step, repeats }
      worker.isStuck = repeats * CHECK_INTERVAL >= timeout
      if (worker.isStuck) for (const job of worker.jobs.values()) job.diskWait?.release()
    }
    if ([...this.#workers].some(({ jobs }) => jobs.size > 0)) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #receive(worker: PoolWorker, message: FromWorker): void {
    worker.jobs.get(message.id)?.receive(message)
    if (message.type === 'part') return
    worker.jobs.delete(message.id)
    if (worker.jobs.size === 0) this.#endWhenIdle(worker)
  }

  /** The process may exit meanwhile. */
  #endWhenIdle(worker: PoolWorker): void {
    clearTimeout(worker.idleTimer)
    worker.thread.unref()
    worker.idleTimer = setTimeout(() => this.#end(worker), this.#options.idle ?? 30_000).unref()
    if (this.#memory.isWanted) this.#endIdle()
  }

  #endIdle(): void {
    if (this.#keepers > 0) return
    for (const worker of this.#workers) if (worker.jobs.size === 0) this.#end(worker)
  }

  #end(worker: PoolWorker): void {
    clearTimeout(worker.idleTimer)
    this.#workers.delete(worker)
    void worker.thread.terminate()
  }

  #onExit(worker: PoolWorker, cause: unknown): void {
    this.#workers.delete(worker)
    clearTimeout(worker.idleTimer)
    for (const job of worker.jobs.values()) job.workerExited(this.#isClosed, cause, worker.jobs.size === 1)
    worker.jobs.clear()
  }
}

function memoryOf(part: unknown): ArrayBuffer | undefined {
  return part instanceof Uint8Array && part.buffer instanceof ArrayBuffer ? part.buffer : undefined
}

import { clearInterval, setInterval } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { cancelled } from '../../domain/errors.ts'
import { DiskWait, DISK_TIMEOUT, diskStalled } from '../limits/disk-wait.ts'
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
}

/** Milliseconds between checks for stuck threads. */
const CHECK_INTERVAL = 1000
/** How many stuck threads are replaced by new ones. */
const MAX_STUCK = 2

interface PoolWorker {
  readonly thread: Worker
  readonly jobs: Map<number, RunningJob>
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
  #lastId = 0
  #isClosed = false
  #watch: NodeJS.Timeout | undefined

  constructor(options: WorkerPoolOptions) {
    this.#options = options
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

  async *#run(
    kind: string,
    input: unknown,
    signal: AbortSignal | undefined,
    isLent: boolean,
  ): AsyncGenerator<unknown, unknown, void> {
    if (signal?.aborted === true || this.#isClosed) throw cancelled()
    const job = this.#start(kind, input)
    const onAbort = () => job.abort()
    signal?.addEventListener('abort', onAbort)
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
    clearInterval(this.#watch)
    // Stuck threads cannot be terminated until the disk responds, so do not wait for them.
    const ending = [...this.#workers].filter(({ isStuck }) => !isStuck)
    await Promise.all(ending.map(async ({ thread }) => await thread.terminate()))
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

  /** An idle worker, a new one, or the one with the fewest jobs. */
  #choose(): PoolWorker {
    const usable = [...this.#workers].filter(({ isStuck }) => !isStuck)
    if (usable.length === 0 && this.#workers.size >= this.#options.size + MAX_STUCK) throw diskStalled()
    const [first, ...others] = usable
    const least = others.reduce((best, worker) => (best && best.jobs.size <= worker.jobs.size ? best : worker), first)
    if (least && (least.jobs.size === 0 || usable.length >= this.#options.size)) return least
    return this.#startWorker()
  }

  #startWorker(): PoolWorker {
    const { entry, heap, niceness = 0 } = this.#options
    const pulse = new SharedArrayBuffer(8)
    const workerData = { niceness, pulse } satisfies WorkerStart
    const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 8 }
    const worker: PoolWorker = {
      thread: new Worker(entry, { resourceLimits, workerData }),
      jobs: new Map(),
      pulse: new Int32Array(pulse),
      lastCheck: { step: 0, repeats: 0 },
      isStuck: false,
      idleTimer: undefined,
    }
    worker.thread.on('message', (message: FromWorker) => this.#receive(worker, message))
    // For example, out of memory.
    worker.thread.on('error', (error) => this.#onExit(worker, error))
    worker.thread.on('exit', () => this.#onExit(worker, undefined))
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
    worker.idleTimer = setTimeout(() => {
      this.#workers.delete(worker)
      void worker.thread.terminate()
    }, this.#options.idle ?? 30_000).unref()
  }

  #onExit(worker: PoolWorker, cause: unknown): void {
    this.#workers.delete(worker)
    clearTimeout(worker.idleTimer)
    for (const job of worker.jobs.values()) job.workerExited(this.#isClosed, cause)
    worker.jobs.clear()
  }
}

function memoryOf(part: unknown): ArrayBuffer | undefined {
  return part instanceof Uint8Array && part.buffer instanceof ArrayBuffer ? part.buffer : undefined
}

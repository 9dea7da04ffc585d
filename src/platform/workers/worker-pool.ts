import { clearInterval, setInterval } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { cancelled } from '../../domain/errors.ts'
import { DiskWait, DISK_TIMEOUT, diskStalled } from '../limits/disk-wait.ts'
import { RunningJob, type Post } from './running-job.ts'
import type { FromWorker, WorkerStart } from './worker-messages.ts'

export interface WorkerPoolOptions {
  /** The file that calls `serveJobs`. */
  readonly entry: URL
  /** Threads at most; each starts when it is first needed. */
  readonly size: number
  /** Memory of one thread in MiB; a job that needs more fails alone. */
  readonly heap: number
  /** How far the threads step back behind the event loop when the processors are busy: 0 not at all, 19 most. Linux only. */
  readonly niceness?: number
  /** Milliseconds without work after which a thread ends, which gives its memory back. */
  readonly idle?: number
  /** Milliseconds in one step after which a thread counts as stuck. */
  readonly timeout?: number
}

const LOOK_EACH = 1000
/** Beside those that work. */
const MOST_STUCK = 2

interface PoolWorker {
  readonly thread: Worker
  readonly jobs: Map<number, RunningJob>
  readonly pulse: Int32Array
  /** The step that was seen last, and in how many looks after the first. */
  seen: { readonly step: number; readonly again: number }
  isStuck: boolean
  idleTimer: NodeJS.Timeout | undefined
}

/** A few threads for work that would hold up the event loop. */
export class WorkerPool implements AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Set<PoolWorker>()
  #lastId = 0
  #isClosed = false
  #watch: NodeJS.Timeout | undefined

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /**
   * Runs a job: its parts as the consumer takes them, its result as the return value. However this ends, the worker has let go
   * of the input by then, so descriptors that were lent to it may be closed.
   */
  run(kind: string, input: unknown, signal?: AbortSignal): AsyncGenerator<unknown, unknown, void> {
    return this.#run(kind, input, signal, false)
  }

  /**
   * The same for a job whose parts are bytes in the memory that it is lent: a part is the consumer's until it asks for the next
   * one, and then the worker fills it anew. A gigabyte goes by in a few buffers, and no collector has to come after them.
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
        job.wantMore(isLent ? wholeMemoryOf(next.part) : undefined)
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      await job.end()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    // One that is stuck ends when the disk answers again.
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
    this.#watch ??= setInterval(() => this.#look(), LOOK_EACH).unref()
    post({ id, type: 'start', kind, input })
    return job
  }

  /** The worker with the least to do; a new one rather than one that is busy. */
  #choose(): PoolWorker {
    const usable = [...this.#workers].filter(({ isStuck }) => !isStuck)
    if (usable.length === 0 && this.#workers.size >= this.#options.size + MOST_STUCK) throw diskStalled()
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
      seen: { step: 0, again: 0 },
      isStuck: false,
      idleTimer: undefined,
    }
    worker.thread.on('message', (message: FromWorker) => this.#receive(worker, message))
    // For example out of memory.
    worker.thread.on('error', (error) => this.#lose(worker, error))
    worker.thread.on('exit', () => this.#lose(worker, undefined))
    this.#workers.add(worker)
    return worker
  }

  /**
   * Finds threads that are stuck in a call to a disk: they cannot be ended, so others are started beside them. It counts looks,
   * not time: a machine that was suspended for a minute has not been stuck.
   */
  #look(): void {
    const { timeout = DISK_TIMEOUT } = this.#options
    for (const worker of this.#workers) {
      const step = Atomics.load(worker.pulse, 0)
      const isWithin = Atomics.load(worker.pulse, 1) === 1
      const again = isWithin && step === worker.seen.step ? worker.seen.again + 1 : 0
      worker.seen = { step, again }
      worker.isStuck = again * LOOK_EACH >= timeout
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
    if (worker.jobs.size === 0) this.#rest(worker)
  }

  /** Keeps neither the process nor its own memory for long. */
  #rest(worker: PoolWorker): void {
    clearTimeout(worker.idleTimer)
    worker.thread.unref()
    worker.idleTimer = setTimeout(() => {
      this.#workers.delete(worker)
      void worker.thread.terminate()
    }, this.#options.idle ?? 30_000).unref()
  }

  #lose(worker: PoolWorker, cause: unknown): void {
    this.#workers.delete(worker)
    clearTimeout(worker.idleTimer)
    for (const job of worker.jobs.values()) job.lose(this.#isClosed, cause)
    worker.jobs.clear()
  }
}

function wholeMemoryOf(part: unknown): ArrayBuffer | undefined {
  return part instanceof Uint8Array && part.buffer instanceof ArrayBuffer ? part.buffer : undefined
}

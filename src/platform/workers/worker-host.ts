import { parentPort, workerData } from 'node:worker_threads'
import { cancelled } from '../../domain/errors.ts'
import { lowerThreadPriority } from '../processes/processes.ts'
import { plain, BYTES_AHEAD, PARTS_AHEAD, type FromWorker, type ToWorker, type WorkerStart } from './worker-messages.ts'

/**
 * A job in short steps. It yields parts of its output, or undefined to let other jobs run, and returns its result. On abort,
 * `return` is called on the generator, so that its `finally` and `using` run.
 */
export type WorkerJob = Generator<unknown, unknown, void>

/** Allocates memory for a part, reusing what the consumer has returned. */
export type Lend = (bytes: number) => Buffer<ArrayBuffer>

/** Starts a job for an input; asynchronously if something must be loaded first. */
export type WorkerJobs = Readonly<Record<string, (input: never, lend: Lend) => WorkerJob | Promise<WorkerJob>>>

/** Milliseconds for which a job runs before the next one has its turn. */
const TIME_SLICE = 10
/** Jobs that take turns. The others wait, because each job that has started holds memory. */
const MAX_RUNNING = 4
/**
 * Milliseconds, in total, for which a job may wait for its consumer before another one starts in its place. With hundreds of
 * requests at once, a consumer is often late: all jobs would start, and each would hold memory until all are nearly done.
 */
const PATIENCE = 1000

interface Running {
  readonly id: number
  readonly steps: WorkerJob
  readonly spares: ArrayBuffer[]
  /** Sizes of the parts that the consumer has not taken yet. */
  readonly ahead: number[]
  /** Milliseconds of `PATIENCE` that remain. */
  patience: number
}

/** A job that waits for its consumer. */
interface Paused {
  readonly job: Running
  readonly since: number
  /** Undefined once another job may start in its place. */
  timer: NodeJS.Timeout | undefined
}

/** Runs the jobs of a pool in this worker thread. Several take turns, and a slow consumer does not block the others. */
export function serveJobs(jobs: WorkerJobs): void {
  const port = parentPort
  if (port === null) throw new Error('this file runs in a worker thread')
  lowerThreadPriority((workerData as WorkerStart).niceness)
  const pulse = new Int32Array((workerData as WorkerStart).pulse)
  const waiting: (ToWorker & { type: 'start' })[] = []
  const running: Running[] = []
  /** Jobs that wait for their consumers. */
  const paused = new Map<number, Paused>()
  const starting = new Map<number, 'starting' | 'aborted'>()
  let isScheduled = false

  const post = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  port.on('message', (message: ToWorker) => {
    if (message.type === 'start') waiting.push(message)
    else if (message.type === 'more') more(message)
    else abort(message.id)
    startNext()
  })

  /** Starts one job at a time, because a start may block the thread for long; waiting ones can be aborted cheaply. */
  function startNext(): void {
    const patient = [...paused.values()].filter(({ timer }) => timer !== undefined)
    if (starting.size > 0 || running.length + patient.length >= MAX_RUNNING) return
    const message = waiting.shift()
    if (message) void start(message)
  }

  async function start({ id, kind, input }: ToWorker & { type: 'start' }): Promise<void> {
    starting.set(id, 'starting')
    try {
      const begin = jobs[kind]
      if (begin === undefined) throw new Error(`no job is called ${kind}`)
      const spares: ArrayBuffer[] = []
      const steps = await begin(input as never, lendFrom(spares))
      if (starting.get(id) === 'aborted') {
        steps.return(undefined)
        throw cancelled()
      }
      running.push({ id, steps, spares, ahead: [], patience: PATIENCE })
    } catch (error) {
      post({ id, type: 'error', error: plain(error) })
    }
    starting.delete(id)
    startNext()
    scheduleTurn()
  }

  function more({ id, spare }: ToWorker & { type: 'more' }): void {
    const job = jobOf(id)
    if (job === undefined) return
    job.ahead.shift()
    if (spare) job.spares.push(spare)
    if (job.ahead.length > 0 && sum(job.ahead) >= BYTES_AHEAD) return
    if (unpause(id)) running.push(job)
    scheduleTurn()
  }

  function abort(id: number): void {
    if (starting.has(id)) starting.set(id, 'aborted')
    const queued = waiting.findIndex((message) => message.id === id)
    if (queued >= 0) waiting.splice(queued, 1)
    const job = jobOf(id)
    unpause(id)
    if (job) {
      remove(job)
      withPulse(() => job.steps.return(undefined))
    }
    if (job || queued >= 0) post({ id, type: 'error', error: plain(cancelled()) })
  }

  function jobOf(id: number): Running | undefined {
    return paused.get(id)?.job ?? running.find((candidate) => candidate.id === id)
  }

  function pause(job: Running): void {
    const wait: Paused = { job, since: performance.now(), timer: undefined }
    paused.set(job.id, wait)
    if (job.patience <= 0) return
    wait.timer = setTimeout(() => {
      wait.timer = undefined
      startNext()
    }, job.patience)
  }

  /** @returns whether it was paused */
  function unpause(id: number): boolean {
    const wait = paused.get(id)
    if (wait === undefined) return false
    clearTimeout(wait.timer)
    wait.job.patience -= performance.now() - wait.since
    return paused.delete(id)
  }

  function scheduleTurn(): void {
    if (isScheduled || running.length === 0) return
    isScheduled = true
    // Between turns, the thread receives messages.
    setImmediate(() => {
      isScheduled = false
      const job = running.shift()
      if (job && runFor(job, TIME_SLICE)) running.push(job)
      startNext()
      scheduleTurn()
    })
  }

  /** @returns true if the job needs another turn */
  function runFor(job: Running, milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    try {
      do {
        const { done, value } = withPulse(() => job.steps.next())
        if (done) {
          post({ id: job.id, type: 'result', result: value })
          return false
        }
        if (value === undefined) continue
        job.ahead.push(value instanceof Uint8Array ? value.length : 0)
        post({ id: job.id, type: 'part', part: value }, transferable(value))
        if (job.ahead.length >= PARTS_AHEAD || sum(job.ahead) >= BYTES_AHEAD) {
          pause(job)
          return false
        }
      } while (performance.now() < end)
      return true
    } catch (error) {
      post({ id: job.id, type: 'error', error: plain(error) })
      return false
    }
  }

  /** Records each step in shared memory: a thread that is stuck in a call to a stalled disk cannot send messages. */
  function withPulse<T>(step: () => T): T {
    Atomics.add(pulse, 0, 1)
    Atomics.store(pulse, 1, 1)
    try {
      return step()
    } finally {
      Atomics.store(pulse, 1, 0)
    }
  }

  function remove(job: Running): void {
    const index = running.indexOf(job)
    if (index >= 0) running.splice(index, 1)
  }
}

function lendFrom(spares: ArrayBuffer[]): Lend {
  return (bytes) => {
    const spare = spares.pop()
    return spare?.byteLength === bytes ? Buffer.from(spare) : Buffer.allocUnsafeSlow(bytes)
  }
}

/** Bytes are transferred, not copied. */
function transferable(part: unknown): ArrayBuffer[] {
  return part instanceof Uint8Array && part.buffer instanceof ArrayBuffer ? [part.buffer] : []
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

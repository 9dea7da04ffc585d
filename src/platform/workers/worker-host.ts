import { readlinkSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { FilemgrError, cancelled } from '../../domain/errors.ts'
import { stepBack } from '../processes/processes.ts'
import {
  BYTES_AHEAD,
  PARTS_AHEAD,
  type FromWorker,
  type PlainError,
  type ToWorker,
  type WorkerStart,
} from './worker-messages.ts'

/**
 * A job in steps, each short: it yields a part of its output, or nothing to let others have a turn. What it returns is its
 * result. On abort the generator is returned, so that its `finally` and `using` run.
 */
export type WorkerJob = Generator<unknown, unknown, void>

/** Memory for a part: what the consumer has given back, else new. */
export type Lend = (bytes: number) => Buffer<ArrayBuffer>

/** Starts a job from the input it was given; a promise where something must be loaded first. */
export type WorkerJobs = Readonly<Record<string, (input: never, lend: Lend) => WorkerJob | Promise<WorkerJob>>>

/** Milliseconds for one job before the next one has its turn. */
const TURN = 10
/** Jobs that take turns; the others wait, because everything half done holds memory. */
const MOST_RUNNING = 4

interface Running {
  readonly id: number
  readonly steps: WorkerJob
  readonly spares: ArrayBuffer[]
  /** Sizes of the parts that the consumer has not taken yet. */
  readonly ahead: number[]
}

/** Serves the jobs of a pool in this worker thread: several at once in turns, none of them blocked by a slow consumer. */
export function serveJobs(jobs: WorkerJobs): void {
  const port = parentPort
  if (port === null) throw new Error('this file runs in a worker thread')
  takePlace(workerData as WorkerStart)
  const pulse = new Int32Array((workerData as WorkerStart).pulse)
  const waiting: (ToWorker & { type: 'start' })[] = []
  const running: Running[] = []
  const setAside = new Map<number, Running>()
  const starting = new Map<number, 'wanted' | 'aborted'>()
  let isTurning = false

  const post = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  port.on('message', (message: ToWorker) => {
    if (message.type === 'start') waiting.push(message)
    else if (message.type === 'more') more(message)
    else abort(message.id)
    admit()
  })

  /** One at a time, because some keep the thread busy from their start: the others can be called off meanwhile. */
  function admit(): void {
    if (starting.size > 0 || running.length >= MOST_RUNNING) return
    const message = waiting.shift()
    if (message) void start(message)
  }

  async function start({ id, kind, input }: ToWorker & { type: 'start' }): Promise<void> {
    starting.set(id, 'wanted')
    try {
      const begin = jobs[kind]
      if (begin === undefined) throw new Error(`no job is called ${kind}`)
      const spares: ArrayBuffer[] = []
      const steps = await begin(input as never, lendFrom(spares))
      if (starting.get(id) === 'aborted') {
        steps.return(undefined)
        throw cancelled()
      }
      running.push({ id, steps, spares, ahead: [] })
    } catch (error) {
      post({ id, type: 'error', error: plain(error) })
    }
    starting.delete(id)
    admit()
    turn()
  }

  function more({ id, spare }: ToWorker & { type: 'more' }): void {
    const job = setAside.get(id) ?? running.find((candidate) => candidate.id === id)
    if (job === undefined) return
    job.ahead.shift()
    if (spare) job.spares.push(spare)
    if (job.ahead.length > 0 && sum(job.ahead) >= BYTES_AHEAD) return
    if (setAside.delete(id)) running.push(job)
    turn()
  }

  function abort(id: number): void {
    if (starting.has(id)) starting.set(id, 'aborted')
    const queued = waiting.findIndex((message) => message.id === id)
    if (queued >= 0) waiting.splice(queued, 1)
    const job = setAside.get(id) ?? running.find((candidate) => candidate.id === id)
    setAside.delete(id)
    if (job) {
      remove(job)
      noted(() => job.steps.return(undefined))
    }
    if (job || queued >= 0) post({ id, type: 'error', error: plain(cancelled()) })
  }

  function turn(): void {
    if (isTurning || running.length === 0) return
    isTurning = true
    // Messages are received between turns.
    setImmediate(() => {
      isTurning = false
      const job = running.shift()
      if (job && runFor(job, TURN)) running.push(job)
      admit()
      turn()
    })
  }

  /** @returns true when the job wants another turn */
  function runFor(job: Running, milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    try {
      do {
        const { done, value } = noted(() => job.steps.next())
        if (done) {
          post({ id: job.id, type: 'result', result: value })
          return false
        }
        if (value === undefined) continue
        job.ahead.push(value instanceof Uint8Array ? value.length : 0)
        post({ id: job.id, type: 'part', part: value }, transferable(value))
        if (job.ahead.length >= PARTS_AHEAD || sum(job.ahead) >= BYTES_AHEAD) {
          setAside.set(job.id, job)
          return false
        }
      } while (performance.now() < end)
      return true
    } catch (error) {
      post({ id: job.id, type: 'error', error: plain(error) })
      return false
    }
  }

  /** A step may be a call to a disk that does not answer: then this thread can tell nothing by messages. */
  function noted<T>(step: () => T): T {
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

/** Linux gives each thread a priority of its own; elsewhere this would be the whole process's. */
function takePlace({ niceness }: WorkerStart): void {
  if (niceness === 0 || process.platform !== 'linux') return
  const thread = readlinkSync('/proc/thread-self').split('/').pop()
  stepBack(Number(thread), niceness)
}

function lendFrom(spares: ArrayBuffer[]): Lend {
  return (bytes) => {
    const spare = spares.pop()
    return spare?.byteLength === bytes ? Buffer.from(spare) : Buffer.allocUnsafeSlow(bytes)
  }
}

/** Bytes are handed over, not copied. */
function transferable(part: unknown): ArrayBuffer[] {
  return part instanceof Uint8Array && part.buffer instanceof ArrayBuffer ? [part.buffer] : []
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0)
}

function plain(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const isOurs = error instanceof FilemgrError
  return { isOurs, code, message, details: isOurs ? error.details : {}, stack }
}

import { clearTimeout, setTimeout } from 'node:timers'
import { Worker } from 'node:worker_threads'
import { cancelled, FilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import { HeavyMemory } from '../limits/heavy-memory.ts'
import { bytesOfThread } from '../limits/memory-plan.ts'
import { type FromTask, type ToTask, isOutOfMemory, revive, type WorkerStart } from './worker-messages.ts'

export interface TaskThreadsOptions {
  /** The file that calls `serveTasks`. */
  readonly entry: URL
  /** Heap of one thread in MiB. A task that needs more fails, and nothing else does. */
  readonly heap: number
  /** Message of the TOO_LARGE error of such a task. */
  readonly outOfMemory: string
  /** Milliseconds without work after which a thread ends, to free its memory. */
  readonly idle?: number
  /** Where each thread takes its memory, as long as it lives. */
  readonly memory?: HeavyMemory
}

/** Answers a question of a task. The memory of a `Uint8Array` passes to the task. */
export type Answer = (asked: unknown) => Promise<unknown>

/** Tasks yield to the event loop when the processors are busy. Linux only. */
const NICENESS = 5

interface IdleThread {
  readonly thread: Worker
  readonly timer: NodeJS.Timeout
}

/**
 * Threads for tasks that wait for the main thread now and then, such as for bytes of a file. Unlike the jobs of a `WorkerPool`,
 * each task has a thread for itself, which ends when the task is aborted. The caller limits how many there are.
 */
export class TaskThreads implements AsyncDisposable {
  readonly #options: TaskThreadsOptions
  readonly #idle: IdleThread[] = []
  readonly #busy = new Set<Worker>()
  readonly #memory: HeavyMemory
  readonly #spare: Disposable
  #lastTask = 0
  #isClosed = false

  constructor(options: TaskThreadsOptions) {
    this.#options = options
    this.#memory = options.memory ?? new HeavyMemory()
    this.#spare = this.#memory.onWanted(() => this.#endIdle())
  }

  /**
   * Resolves when no question is being answered any more, so the caller may then close what the answers use.
   *
   * @throws what the task or an answer threw; TOO_LARGE if the thread ran out of memory; BUSY, CANCELLED
   */
  async run(input: unknown, answer: Answer, signal?: AbortSignal): Promise<unknown> {
    throwIfCancelled(signal)
    if (this.#isClosed) throw cancelled()
    const thread = await this.#acquire(signal)
    const task = (this.#lastTask += 1)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const answering = new Set<Promise<void>>()
    const reply = async (question: number, asked: unknown): Promise<void> => {
      try {
        const answered = await answer(asked)
        const memory = answered instanceof Uint8Array && answered.buffer instanceof ArrayBuffer ? [answered.buffer] : []
        thread.postMessage({ task, type: 'answer', question, answer: answered } satisfies ToTask, memory)
      } catch (error) {
        reject(error)
      }
    }
    const onMessage = (message: FromTask) => {
      // A stream of an earlier task may still have asked for more.
      if (message.task !== task) return
      if (message.type === 'result') resolve(message.result)
      else if (message.type === 'error') reject(revive(message.error))
      else {
        const replying = reply(message.question, message.asked)
        answering.add(replying)
        void replying.finally(() => answering.delete(replying))
      }
    }
    const stop = () => reject(cancelled())
    const events = { message: onMessage, error: (error: unknown) => reject(this.#describe(error)), exit: stop }
    for (const [event, listener] of Object.entries(events)) thread.on(event, listener)
    signal?.addEventListener('abort', stop)
    // While it waited for its thread.
    if (signal?.aborted === true) stop()
    try {
      thread.postMessage({ task, type: 'task', input } satisfies ToTask)
      const result = await promise
      this.#keep(thread)
      return result
    } catch (error) {
      await thread.terminate()
      throw error
    } finally {
      this.#busy.delete(thread)
      signal?.removeEventListener('abort', stop)
      for (const [event, listener] of Object.entries(events)) thread.off(event, listener)
      await Promise.all(answering)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#spare[Symbol.dispose]()
    const idle = this.#idle.splice(0)
    for (const { timer } of idle) clearTimeout(timer)
    const threads = [...idle.map(({ thread }) => thread), ...this.#busy]
    await Promise.all(threads.map(async (thread) => await thread.terminate()))
  }

  async #acquire(signal: AbortSignal | undefined): Promise<Worker> {
    const idle = this.#idle.pop()
    clearTimeout(idle?.timer)
    const thread = idle?.thread ?? (await this.#startWithRoom(signal))
    thread.ref()
    this.#busy.add(thread)
    return thread
  }

  async #startWithRoom(signal: AbortSignal | undefined): Promise<Worker> {
    const { entry, heap } = this.#options
    const room = await this.#memory.acquire(bytesOfThread(heap), signal)
    if (this.#isClosed) {
      room[Symbol.dispose]()
      throw cancelled()
    }
    const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 8 }
    const workerData: Pick<WorkerStart, 'niceness'> = { niceness: NICENESS }
    const thread = new Worker(entry, { resourceLimits, workerData })
    return thread.once('exit', () => room[Symbol.dispose]())
  }

  #keep(thread: Worker): void {
    if (this.#isClosed || this.#memory.isWanted) {
      void thread.terminate()
      return
    }
    // The process may exit meanwhile.
    thread.unref()
    const end = () => {
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      void thread.terminate()
    }
    const idle: IdleThread = { thread, timer: setTimeout(end, this.#options.idle ?? 30_000).unref() }
    this.#idle.push(idle)
  }

  #endIdle(): void {
    for (const { thread, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      void thread.terminate()
    }
  }

  #describe(error: unknown): Error {
    if (isOutOfMemory(error)) return new FilemgrError('TOO_LARGE', this.#options.outOfMemory)
    return new FilemgrError('INTERNAL', 'a worker thread ended in the middle of its work', {}, { cause: error })
  }
}

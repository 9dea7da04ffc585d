import { FilemgrError, cancelled } from '../../domain/errors.ts'
import type { DiskWait } from '../limits/disk-wait.ts'
import { isOutOfMemory, revive, type FromWorker, type ToWorker } from './worker-messages.ts'

type Output = { readonly type: 'part'; readonly part: unknown } | { readonly type: 'result'; readonly result: unknown }

export type Post = (message: ToWorker, transfer?: ArrayBuffer[]) => void

/** The main thread's side of a job in a worker. */
export class RunningJob {
  /** The caller's wait for the disk. */
  readonly diskWait: DiskWait | undefined
  readonly #id: number
  readonly #post: Post
  readonly #outputs: Output[] = []
  readonly #ended = Promise.withResolvers<void>()
  #wake: (() => void) | undefined
  #error: Error | undefined
  #isEnded = false

  constructor(id: number, post: Post, diskWait?: DiskWait) {
    this.diskWait = diskWait
    this.#id = id
    this.#post = post
  }

  /** The next part, or the result. @throws what the job threw */
  async next(): Promise<Output> {
    for (;;) {
      // An error discards the parts not yet taken, because the output will stay incomplete.
      if (this.#error) throw this.#error
      const output = this.#outputs.shift()
      if (output) return output
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
  }

  /** @param spare memory of a part that is no longer needed, for the worker to reuse */
  requestMore(spare?: ArrayBuffer): void {
    if (this.#isEnded) return
    if (spare === undefined) this.#post({ id: this.#id, type: 'more' })
    else this.#post({ id: this.#id, type: 'more', spare }, [spare])
  }

  abort(): void {
    if (!this.#isEnded) this.#post({ id: this.#id, type: 'abort' })
  }

  /** Aborts the job if it still runs. Resolves when the worker no longer uses its input. */
  async end(): Promise<void> {
    this.abort()
    await this.#ended.promise
  }

  receive(message: FromWorker): void {
    if (message.type === 'error') this.#error = revive(message.error)
    else this.#outputs.push(message)
    if (message.type !== 'part') this.#finish()
    this.#wake?.()
  }

  /** Call when the worker has exited. @param isExpected true if the pool was closed; @param wasAlone in its thread */
  workerExited(isExpected: boolean, cause: unknown, wasAlone: boolean): void {
    this.#error = isExpected ? cancelled() : exitError(cause, wasAlone)
    this.#finish()
    this.#wake?.()
  }

  #finish(): void {
    this.#isEnded = true
    this.#ended.resolve()
  }
}

function exitError(cause: unknown, wasAlone: boolean): FilemgrError {
  if (isOutOfMemory(cause) && wasAlone)
    return new FilemgrError('TOO_LARGE', 'this takes more memory than this server has for it: try it with less at once')
  // Several jobs share the memory of a thread, so it may be that of another one.
  if (isOutOfMemory(cause))
    return new FilemgrError('BUSY', 'this takes too much memory at the moment; try again later, or with less at once', {
      retryAfter: 10,
    })
  return new FilemgrError('INTERNAL', 'a worker thread ended in the middle of its work', {}, { cause })
}

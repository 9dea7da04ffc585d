import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { cancelled, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { MEMORY_PLAN } from '../limits/memory-plan.ts'

/** Bytes that are worth a system call. While the disk is busy with one batch, more bytes accumulate for the next. */
const BATCH_SIZE = 256 * 1024
/** Milliseconds after which even a few bytes are written, because hundreds of slow senders must not fill the memory. */
const MAX_WAIT = 1000
/** Bytes in memory above which reading from the network pauses. */
const HIGH_WATER = 2 * 1024 * 1024
/** writev() accepts at most 1024 buffers. */
const MAX_BUFFERS = 1000

export interface BodyLimits {
  /** Announced length in bytes: a longer body is refused at once, a shorter one at its end. */
  readonly length?: number | undefined
  /** Maximum length in bytes, if none is announced. */
  readonly max?: number
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes so far, before `next` returns the last of them. If it throws, so does `next`. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined
  /** Bytes that all bodies may have in memory together; by default as the memory of the machine allows. */
  readonly memory?: number
  /** Updated with each chunk. Synchronous, because a chunk from a socket is small. */
  readonly hash?: Hash | undefined
}

/**
 * Reads a request body in batches, no faster than the caller takes them. Never destroys the source, because the client still
 * waits for a response.
 */
export class BodyBatches implements Disposable {
  /** Bytes of all bodies that wait to be written. The attack is hundreds of uploads to a slow disk. */
  static #waiting = 0
  readonly #source: Readable
  readonly #limits: BodyLimits
  #chunks: Buffer[] = []
  #size = 0
  #received = 0
  #taken = 0
  #takenAt = performance.now()
  #isEnded: boolean
  #failure: Error | undefined
  #wake: () => void = () => undefined

  constructor(source: Readable, limits: BodyLimits) {
    this.#source = source
    this.#limits = limits
    this.#isEnded = source.readableEnded && limits.length === 0
    // The source may be closed already: if the disk was stalled, the request has failed and its body was discarded.
    if (source.readableEnded || source.destroyed) this.#onClose()
    if (limits.signal?.aborted === true) this.#onAbort()
    limits.signal?.addEventListener('abort', this.#onAbort)
    source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
  }

  /**
   * @returns the next chunks; undefined at the end
   * @throws CANCELLED if the source breaks off; TOO_LARGE or INVALID_INPUT if it is longer or shorter than announced; the error
   *         passed to `fail`; what `admit` throws
   */
  async next(): Promise<Buffer[] | undefined> {
    if (!this.#isDue()) {
      // It may have paused while all had too much.
      this.#source.resume()
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    if (this.#failure !== undefined) throw this.#failure
    this.#takenAt = performance.now()
    const batch = this.#chunks.splice(0, MAX_BUFFERS)
    this.#keep(sizeOf(this.#chunks))
    if (!this.#isEnded && this.#size < this.#highWater) this.#source.resume()
    if (batch.length === 0) return undefined
    this.#taken += sizeOf(batch)
    await this.#limits.admit?.(this.#taken)
    return batch
  }

  /** Makes `next` throw. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  [Symbol.dispose](): void {
    this.#keep(0)
    this.#limits.signal?.removeEventListener('abort', this.#onAbort)
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    // A late error without a listener would end the process.
    this.#source.off('error', this.#onError).on('error', ignoreLateError)
    // The rest of a refused body must not be read before the reply is sent.
    if (!this.#isEnded) this.#source.pause()
  }

  /** When all together have too much, each passes every chunk on before it takes another. */
  get #highWater(): number {
    return BodyBatches.#waiting < (this.#limits.memory ?? MEMORY_PLAN.uploads) ? HIGH_WATER : 1
  }

  #keep(size: number): void {
    BodyBatches.#waiting += size - this.#size
    this.#size = size
  }

  #isDue(): boolean {
    if (this.#isEnded || this.#failure !== undefined || this.#size >= Math.min(BATCH_SIZE, this.#highWater)) return true
    return this.#size > 0 && performance.now() - this.#takenAt >= MAX_WAIT
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.#received += bytes.length
    const { length, max, hash } = this.#limits
    if (this.#received > (length ?? max ?? Infinity)) this.#refuse('TOO_LARGE', 'the body is longer than announced')
    if (this.#failure !== undefined) return
    hash?.update(bytes)
    this.#chunks.push(bytes)
    this.#keep(this.#size + bytes.length)
    if (this.#size >= this.#highWater) this.#source.pause()
    if (this.#isDue()) this.#wake()
  }

  readonly #onEnd = (): void => {
    if (this.#received < (this.#limits.length ?? 0)) this.#refuse('INVALID_INPUT', 'the body is shorter than announced')
    this.#isEnded = true
    this.#wake()
  }

  readonly #onClose = (): void => this.#refuse('CANCELLED', 'the upload was broken off')

  /** A connection breaks off; what is read from a disk or a bucket says what has failed. */
  readonly #onError = (error: Error): void => {
    if (isFilemgrError(error) && !this.#isEnded) this.fail(error)
    this.#onClose()
  }

  readonly #onAbort = (): void => this.#refuse('CANCELLED', cancelled().message)

  #refuse(code: 'TOO_LARGE' | 'INVALID_INPUT' | 'CANCELLED', message: string): void {
    // A body that has arrived completely is written, even if its sender disconnects.
    if (this.#isEnded) return
    this.#source.pause()
    this.fail(new FilemgrError(code, message))
  }
}

export function sizeOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0)
}

function ignoreLateError(): void {
  // The upload has ended already.
}

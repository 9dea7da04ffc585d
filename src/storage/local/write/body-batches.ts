import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { FilemgrError } from '../../../domain/errors.ts'

/** Bytes that are worth a system call. More are gathered while the disk is busy with the batch before. */
const BATCH_SIZE = 256 * 1024
/** Milliseconds after which even a few bytes are written: hundreds of slow senders must not fill the memory. */
const LONGEST_WAIT = 1000
/** Bytes in memory above which nothing more is read from the network. */
const HIGH_WATER = 2 * 1024 * 1024
/** writev() takes 1024 buffers. */
const MOST_BUFFERS = 1000

export interface BodyLimits {
  /** The announced length: more is refused at once, less at the end. */
  readonly length?: number | undefined
  /** The most bytes that may come; fewer are fine. */
  readonly most?: number
  readonly signal?: AbortSignal | undefined
  /** Updated with each chunk as it comes: never more than a socket holds at once. */
  readonly hash?: Hash | undefined
}

/**
 * Reads a request body in batches, and no faster than they are taken. The source is never destroyed: its sender still waits
 * for an answer.
 */
export class BodyBatches implements Disposable {
  readonly #source: Readable
  readonly #limits: BodyLimits
  #chunks: Buffer[] = []
  #size = 0
  #received = 0
  #takenAt = performance.now()
  #isEnded: boolean
  #failure: Error | undefined
  #wake: () => void = () => undefined

  constructor(source: Readable, limits: BodyLimits) {
    this.#source = source
    this.#limits = limits
    this.#isEnded = source.readableEnded && limits.length === 0
    // While the disk did not respond, the request may have been answered without us, and its body thrown away.
    if (source.readableEnded || source.destroyed) this.#onClose()
    if (limits.signal?.aborted === true) this.#onAbort()
    limits.signal?.addEventListener('abort', this.#onAbort)
    source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onClose).on('close', this.#onClose)
  }

  /**
   * @returns the next chunks, undefined at the end
   * @throws CANCELLED when the source breaks off, TOO_LARGE and INVALID_INPUT when it is longer or shorter than announced, and
   *         the error of `fail`
   */
  async next(): Promise<Buffer[] | undefined> {
    if (!this.#isDue()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
    if (this.#failure !== undefined) throw this.#failure
    this.#takenAt = performance.now()
    const batch = this.#chunks.splice(0, MOST_BUFFERS)
    this.#size = sizeOf(this.#chunks)
    if (!this.#isEnded && this.#size < HIGH_WATER) this.#source.resume()
    return batch.length === 0 ? undefined : batch
  }

  /** Makes `next` throw. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  [Symbol.dispose](): void {
    this.#limits.signal?.removeEventListener('abort', this.#onAbort)
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    // An error without a listener would end the process.
    this.#source.off('error', this.#onClose).on('error', ignoreLateError)
    // The rest of a refused body is not read before its sender has the answer.
    if (!this.#isEnded) this.#source.pause()
  }

  #isDue(): boolean {
    if (this.#isEnded || this.#failure !== undefined || this.#size >= BATCH_SIZE) return true
    return this.#size > 0 && performance.now() - this.#takenAt >= LONGEST_WAIT
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.#received += bytes.length
    const { length, most, hash } = this.#limits
    if (this.#received > (length ?? most ?? Infinity)) this.#refuse('TOO_LARGE', 'the body is longer than announced')
    if (this.#failure !== undefined) return
    hash?.update(bytes)
    this.#chunks.push(bytes)
    this.#size += bytes.length
    if (this.#size >= HIGH_WATER) this.#source.pause()
    if (this.#isDue()) this.#wake()
  }

  readonly #onEnd = (): void => {
    if (this.#received < (this.#limits.length ?? 0)) this.#refuse('INVALID_INPUT', 'the body is shorter than announced')
    this.#isEnded = true
    this.#wake()
  }

  readonly #onClose = (): void => this.#refuse('CANCELLED', 'the upload was broken off')

  readonly #onAbort = (): void => this.#refuse('CANCELLED', 'the upload was cancelled')

  #refuse(code: 'TOO_LARGE' | 'INVALID_INPUT' | 'CANCELLED', message: string): void {
    // What has come whole is written, whatever becomes of its sender.
    if (this.#isEnded) return
    this.#source.pause()
    this.fail(new FilemgrError(code, message))
  }
}

export function sizeOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0)
}

function ignoreLateError(): void {
  // The upload is settled; how its connection ends changes nothing.
}

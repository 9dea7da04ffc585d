import { AsyncLocalStorage } from 'node:async_hooks'
import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { FilemgrError } from '../../../domain/errors.ts'
import type { Disk } from '../system/disk.ts'

/** Bytes per system call: smaller batches cost calls, larger ones leave the disk idle meanwhile. */
const GATHERED = 256 * 1024
/** Milliseconds after which even little is written: hundreds of slow senders would else fill the memory with what they sent so far. */
const LONGEST_GATHERED = 1000
/** No more is read from the network above this many unwritten bytes; half of what one upload may take of memory. */
const HIGH_WATER = 2 * 1024 * 1024
/** writev() takes 1024 buffers. */
const MOST_BUFFERS = 1000
/** Unsynced bytes after which a sync starts while more is received, so that little is left to wait for at the end. */
const SYNCED_AT_ONCE = 4 * 1024 * 1024
/** Bytes after which the free space is looked at again: others write to the disk, too. */
const ROOM_CHECKED_EVERY = 8 * 1024 * 1024

interface ReceiveOptions {
  /** What was announced: more is refused at once, less at the end. */
  readonly length?: number | undefined
  /** What may come at most, where less is fine too. */
  readonly most?: number
  /** Where in the file the first byte goes. */
  readonly start?: number
  /** Given, it is told how many of the bytes are on the disk for sure while more come; the end is left to the caller. */
  readonly onSynced?: (bytes: number) => void
  /** Throws when the disk may take no more. */
  readonly requireRoom: () => Promise<void>
  readonly disk: Disk
  readonly signal?: AbortSignal | undefined
  /** Fed with each chunk as it comes: never more than a socket holds at once. */
  readonly hash?: Hash | undefined
  /** Told the size of each chunk. */
  readonly onChunk: (bytes: number) => void
}

/**
 * Writes all that comes to an open file. The source is never destroyed here: it is the request, and its
 * sender still waits for an answer.
 *
 * @returns bytes written
 * @throws CANCELLED when the source breaks off, TOO_LARGE and INVALID_INPUT when it is longer or shorter than announced
 */
export async function receiveBody(source: Readable, fd: number, options: ReceiveOptions): Promise<number> {
  return await new Promise((resolve, reject) => {
    new Receiver(source, fd, options, resolve, reject).start()
  })
}

class Receiver {
  readonly #source: Readable
  readonly #fd: number
  readonly #options: ReceiveOptions
  readonly #resolve: (written: number) => void
  readonly #reject: (error: Error) => void
  #batch: Buffer[] = []
  #unwritten = 0
  #received = 0
  #written = 0
  #synced = 0
  #roomIsFor = ROOM_CHECKED_EVERY
  #isWriting = false
  #wroteAt = performance.now()
  #isSyncing = false
  /** Chunks come as the connection's events, but the caller waits for the disk. */
  readonly #asStarted = AsyncLocalStorage.snapshot()
  #isEnded = false
  #failure: Error | undefined

  constructor(
    source: Readable,
    fd: number,
    options: ReceiveOptions,
    resolve: (written: number) => void,
    reject: (error: Error) => void,
  ) {
    this.#source = source
    this.#fd = fd
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    if (this.#options.signal?.aborted) return this.#onAbort()
    this.#options.signal?.addEventListener('abort', this.#onAbort)
    if (this.#source.destroyed && !this.#source.readableEnded) return this.#onClose()
    // While the disk did not answer, the request was answered without us, and its body thrown away.
    if (this.#source.readableEnded && this.#options.length !== 0) return this.#onClose()
    this.#source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onClose).on('close', this.#onClose)
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.#received += bytes.length
    this.#options.onChunk(bytes.length)
    if (this.#received > (this.#options.length ?? this.#options.most ?? Infinity))
      return this.#stop(broken('TOO_LARGE', 'the body is longer than announced'))
    this.#options.hash?.update(bytes)
    this.#batch.push(bytes)
    this.#unwritten += bytes.length
    if (this.#unwritten >= HIGH_WATER) this.#source.pause()
    this.#step()
  }

  readonly #onEnd = (): void => {
    const isShort = this.#received < (this.#options.length ?? 0)
    this.#stop(isShort ? broken('INVALID_INPUT', 'the body is shorter than announced') : undefined)
  }

  readonly #onClose = (): void => this.#stop(broken('CANCELLED', 'the upload was broken off'))

  readonly #onAbort = (): void => this.#stop(broken('CANCELLED', 'the upload was cancelled'))

  #stop(failure: Error | undefined): void {
    if (failure) {
      this.#failure ??= failure
      this.#batch = []
      // What still comes is not read before the sender has its answer.
      this.#source.pause()
    }
    if (!this.#isEnded) this.#letGo()
    this.#step()
  }

  #letGo(): void {
    this.#isEnded = true
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#source.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    // Stays until the source is gone: an error without a listener would end the process.
    this.#source.off('error', this.#onClose).on('error', ignoreLateError)
  }

  #step(): void {
    if (this.#isWriting) return
    const isLate = performance.now() - this.#wroteAt >= LONGEST_GATHERED
    const isDue = this.#unwritten >= GATHERED || isLate || this.#isEnded
    if (isDue && this.#batch.length > 0) {
      const batch = this.#batch.splice(0, MOST_BUFFERS)
      return void this.#asStarted(async () => await this.#write(batch))
    }
    if (!this.#isEnded || this.#isSyncing) return
    if (this.#failure) this.#reject(this.#failure)
    else this.#resolve(this.#written)
  }

  async #write(buffers: Buffer[]): Promise<void> {
    this.#isWriting = true
    this.#wroteAt = performance.now()
    try {
      await this.#requireRoom()
      const count = await this.#options.disk.write(this.#fd, buffers, (this.#options.start ?? 0) + this.#written)
      this.#isWriting = false
      this.#onWritten(buffers, count)
    } catch (error) {
      this.#isWriting = false
      this.#stop(error as Error)
    }
  }

  async #requireRoom(): Promise<void> {
    if (this.#written < this.#roomIsFor) return
    await this.#options.requireRoom()
    this.#roomIsFor = this.#written + ROOM_CHECKED_EVERY
  }

  #onWritten(buffers: readonly Buffer[], count: number): void {
    this.#written += count
    this.#unwritten -= count
    // A nearly full disk takes a part of it and says so.
    const rest = withoutFirst(buffers, count)
    if (rest.length > 0 && !this.#failure) this.#batch.unshift(...rest)
    if (this.#written - this.#synced >= SYNCED_AT_ONCE) void this.#syncMeanwhile()
    if (!this.#isEnded && this.#source.isPaused() && this.#unwritten < HIGH_WATER / 2) this.#source.resume()
    this.#step()
  }

  async #syncMeanwhile(): Promise<void> {
    const { onSynced, disk } = this.#options
    if (onSynced === undefined || this.#isSyncing || this.#isEnded) return
    const upTo = this.#written
    this.#isSyncing = true
    try {
      await disk.syncData(this.#fd)
      this.#synced = upTo
      onSynced(upTo)
      this.#isSyncing = false
      this.#step()
    } catch (error) {
      this.#isSyncing = false
      this.#stop(error as Error)
    }
  }
}

function withoutFirst(buffers: readonly Buffer[], count: number): Buffer[] {
  let left = count
  return buffers.flatMap((buffer) => {
    const cut = Math.min(left, buffer.length)
    left -= cut
    return cut === buffer.length ? [] : [buffer.subarray(cut)]
  })
}

function broken(code: 'TOO_LARGE' | 'INVALID_INPUT' | 'CANCELLED', message: string): FilemgrError {
  return new FilemgrError(code, message)
}

function ignoreLateError(): void {
  // The upload has been settled; how its connection ends afterwards changes nothing.
}

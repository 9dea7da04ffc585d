import { Readable, type Writable } from 'node:stream'
import { FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { ROOT } from '../../../domain/files/virtual-path.ts'
import { DiskWait } from '../../../platform/limits/disk-wait.ts'
import { writePart } from '../../../platform/network/write-part.ts'
import { read } from '../system/gated-calls.ts'
import { translateError } from '../system/os-error.ts'

/** Bytes per read. The stream reads at most one part ahead of its consumer. */
const PART = 512 * 1024

interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/** Streams a part of an open file in new buffers, which the consumer may keep. */
export class FileStream extends Readable {
  readonly #fd: number
  readonly #end: number
  #position: number
  #reading: Promise<unknown> | undefined

  /** @param release called once, after the last read */
  constructor(fd: number, { start, end }: ByteRange, release: () => void) {
    super({ highWaterMark: PART })
    this.#fd = fd
    this.#position = start
    this.#end = end
    // If the descriptor is closed during a read, another file may get its number, and the read would go to that file.
    this.once('close', () => void Promise.allSettled([this.#reading]).then(release))
  }

  override _read(): void {
    const length = Math.min(PART, this.#end - this.#position + 1)
    if (length <= 0) {
      this.push(null)
      return
    }
    const buffer = Buffer.allocUnsafeSlow(length)
    const reading = async () => await (this.#reading = read(this.#fd, buffer, 0, length, this.#position))
    readWaiting(reading).then(
      ({ bytesRead }) => this.#receive(buffer.subarray(0, bytesRead)),
      (error: unknown) => this.#receive(error as Error),
    )
  }

  #receive(result: Buffer | Error): void {
    if (this.destroyed) return
    if (result instanceof Error) this.destroy(result)
    else if (result.length === 0) this.destroy(shrunk())
    else {
      this.#position += result.length
      this.push(result)
    }
  }
}

/** Reads from an open file, for which a request waits. @throws BUSY, and UNAVAILABLE for a disk that fails */
export async function readWaiting<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await new DiskWait().run(reading)
  } catch (error) {
    throw translateError(error, ROOT)
  }
}

/** Aborts a response that has fewer bytes than announced, so that no client takes it for complete. */
export function shrunk(): FilemgrError {
  return new FilemgrError('CONFLICT', 'the file became shorter while it was read')
}

const KIBIBYTE = 1024
const SMALL = 128 * KIBIBYTE
const LARGE = 1024 * KIBIBYTE
/** Idle buffers of each size to keep for reuse. */
const MAX_IDLE = 16
/** Large buffers in use at the same time, so that memory does not grow with the number of slow receivers. */
const MAX_LARGE = 32
/** Bytes after which a receiver counts as fast. The kernel buffers some megabytes even for one that does not read. */
const MIN_PROOF_BYTES = 12 * 1024 * KIBIBYTE

/** Reuses buffers, because allocating new ones costs more than reading the file. */
export class BufferPool {
  readonly #small: Buffer[] = []
  readonly #large: Buffer[] = []
  #largeInUse = 0

  /** Returns a small buffer if too many large ones are in use. */
  take(prefersLarge: boolean): Buffer {
    if (!prefersLarge || this.#largeInUse >= MAX_LARGE) return this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL)
    this.#largeInUse += 1
    return this.#large.pop() ?? Buffer.allocUnsafeSlow(LARGE)
  }

  /** @param isIdle false if the system may still access the buffer, which is then not reused */
  giveBack(buffer: Buffer, isIdle: boolean): void {
    const isLarge = buffer.length === LARGE
    if (isLarge) this.#largeInUse -= 1
    const idle = isLarge ? this.#large : this.#small
    if (isIdle && idle.length < MAX_IDLE) idle.push(buffer)
  }
}

/**
 * Sends bytes from two buffers in turn: one is filled while the other is sent. Buffers are small until the receiver has proved
 * to be fast, so that hundreds of slow receivers need little memory.
 *
 * @param destination must not use a chunk after its write callback: true for sockets and HTTP responses, not for transforms
 * @throws CANCELLED if the destination closes
 */
export async function sendPooled(fd: number, range: ByteRange, destination: Writable, pool: BufferPool): Promise<void> {
  let sending = Promise.resolve()
  for (let position = range.start; position <= range.end;) {
    const buffer = pool.take(position - range.start >= MIN_PROOF_BYTES)
    try {
      const length = Math.min(buffer.length, range.end - position + 1)
      const { bytesRead } = await readWaiting(async () => await read(fd, buffer, 0, length, position))
      if (bytesRead === 0) throw shrunk()
      position += bytesRead
      await sending
      sending = writePart(destination, buffer.subarray(0, bytesRead)).then(
        () => pool.giveBack(buffer, true),
        (error: unknown) => {
          pool.giveBack(buffer, false)
          throw error
        },
      )
      // Awaited later; an earlier rejection must not count as unhandled.
      sending.catch(() => undefined)
    } catch (error) {
      // A read from a stalled disk may still write to the buffer.
      pool.giveBack(buffer, !isFilemgrError(error, 'BUSY'))
      throw error
    }
  }
  await sending
}

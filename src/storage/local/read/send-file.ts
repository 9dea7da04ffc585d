import { Readable, type Writable } from 'node:stream'
import { FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { DiskWait } from '../../../platform/limits/disk-wait.ts'
import { writePart } from '../../../platform/network/write-part.ts'
import { read } from '../system/gated-calls.ts'

/** Bytes per read. The stream reads one part ahead of its consumer, no more. */
const PART = 512 * 1024

interface ByteRange {
  readonly start: number
  /** Included. */
  readonly end: number
}

/** A part of an open file as a stream of its own buffers: a consumer may keep them. */
export class FileStream extends Readable {
  readonly #fd: number
  readonly #end: number
  #position: number
  #reading: Promise<unknown> | undefined

  /** @param release called once when nothing more is read */
  constructor(fd: number, { start, end }: ByteRange, release: () => void) {
    super({ highWaterMark: PART })
    this.#fd = fd
    this.#position = start
    this.#end = end
    // The descriptor must outlive a read under way: its number could be another file's by then.
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
    new DiskWait().run(reading).then(
      ({ bytesRead }) => this.#take(buffer.subarray(0, bytesRead)),
      (error: unknown) => this.#take(error as Error),
    )
  }

  #take(result: Buffer | Error): void {
    if (this.destroyed) return
    if (result instanceof Error) this.destroy(result)
    else if (result.length === 0) this.destroy(shrunk())
    else {
      this.#position += result.length
      this.push(result)
    }
  }
}

/** Fewer bytes than were promised: aborted, so that no client takes the short file for complete. */
export function shrunk(): FilemgrError {
  return new FilemgrError('CONFLICT', 'the file became shorter while it was read')
}

const KIBIBYTE = 1024
const SMALL = 128 * KIBIBYTE
const LARGE = 1024 * KIBIBYTE
/** Idle buffers of each size that are kept for the next sender. */
const MOST_IDLE = 16
/** Large buffers in use by all senders together: memory that slow receivers hold must not grow with their number. */
const MOST_LARGE = 32
/** The system itself takes some megabytes for a receiver that reads nothing. Who got more than this does read. */
const PROOF = 12 * 1024 * KIBIBYTE

/** Buffers that are used again and again: fresh ones cost more than the reading. */
export class BufferPool {
  readonly #small: Buffer[] = []
  readonly #large: Buffer[] = []
  #largeInUse = 0

  /** A small one also where a large one was wanted, when too many of these are in use. */
  take(wantsLarge: boolean): Buffer {
    if (!wantsLarge || this.#largeInUse >= MOST_LARGE) return this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL)
    this.#largeInUse += 1
    return this.#large.pop() ?? Buffer.allocUnsafeSlow(LARGE)
  }

  /** @param isIdle false when the system may still be reading from it: then it is not for others again */
  giveBack(buffer: Buffer, isIdle: boolean): void {
    const isLarge = buffer.length === LARGE
    if (isLarge) this.#largeInUse -= 1
    const idle = isLarge ? this.#large : this.#small
    if (isIdle && idle.length < MOST_IDLE) idle.push(buffer)
  }
}

/**
 * Sends bytes from two buffers in turn: one is read while the other is on its way. They are small until the receiver has shown
 * that it is quick, so that hundreds of slow ones cost little memory.
 *
 * @param destination must be done with a chunk when it calls back, as sockets and answers are; transforms may not be
 * @throws CANCELLED when the destination closes
 */
export async function sendPooled(fd: number, range: ByteRange, destination: Writable, pool: BufferPool): Promise<void> {
  let sending = Promise.resolve()
  for (let position = range.start; position <= range.end;) {
    const buffer = pool.take(position - range.start >= PROOF)
    try {
      const length = Math.min(buffer.length, range.end - position + 1)
      const { bytesRead } = await new DiskWait().run(async () => await read(fd, buffer, 0, length, position))
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
      // Waited for above or below; a failure before that must not count as unhandled.
      sending.catch(() => undefined)
    } catch (error) {
      // A disk that does not answer may still write into it.
      pool.giveBack(buffer, !isFilemgrError(error, 'BUSY'))
      throw error
    }
  }
  await sending
}

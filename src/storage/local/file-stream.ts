import { Readable } from 'node:stream'
import { FilemgrError } from '../../domain/errors.ts'
import { Patience } from '../../platform/patience.ts'
import { read } from './gated-calls.ts'

/** Bytes per read. The stream reads one part ahead of its consumer, no more. */
const PART = 512 * 1024

export interface ByteRange {
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
    new Patience().wait(reading).then(
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

/** Fewer bytes than were promised: broken off, so that nobody takes the short file for the whole one. */
export function shrunk(): FilemgrError {
  return new FilemgrError('CONFLICT', 'the file became shorter while it was read')
}

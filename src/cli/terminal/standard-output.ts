import { closeSync, fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { errorCode } from '../../platform/files/error-code.ts'
import type { Streams } from './output.ts'
import { unwritable } from './named-files.ts'

const STDOUT = 1

/** Standard output of this process, if it is a file or a device; undefined for a pipe, a socket or a terminal. */
export function outputToFile(): FileOutput | undefined {
  const stats = fstatSync(STDOUT)
  const hasReader = stats.isFIFO() || stats.isSocket() || isatty(STDOUT)
  return hasReader ? undefined : new FileOutput(STDOUT)
}

/**
 * Writes every byte to a file, or fails; `requireWritten` reports that. The stream that Node opens for a file does not notice
 * when a full disk takes only the first part of a write.
 */
export class FileOutput extends Writable {
  readonly #fd: number

  constructor(fd: number) {
    super()
    this.#fd = fd
    // Not thrown from here: an error of a listener can get lost in Node.
    this.on('error', () => undefined)
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    try {
      for (let rest = part; rest.length > 0;) rest = rest.subarray(writeSync(this.#fd, rest))
      done()
    } catch (error) {
      done(failure(error))
    }
  }

  /** Some file systems, such as NFS, report only now that they are full. @throws NO_SPACE, INTERNAL */
  close(): void {
    try {
      closeSync(this.#fd)
    } catch (error) {
      throw failure(error)
    }
  }
}

const failure = (error: unknown): FilemgrError => unwritable('standard output', error, 'INTERNAL')

/**
 * Call it after the last write. It is not an error if the reader of a pipe has left: it has read what it wanted.
 *
 * @param before begins the message: what was done in spite of that
 * @throws NO_SPACE, INTERNAL if the output is incomplete
 */
export function requireWritten({ stdout }: Streams, before = ''): void {
  try {
    if (stdout.errored !== null) throw stdout.errored
    if (stdout instanceof FileOutput) stdout.close()
  } catch (thrown) {
    if (errorCode(thrown) === 'EPIPE') return
    const error = isFilemgrError(thrown) ? thrown : failure(thrown)
    throw new FilemgrError(error.code, `${before}${error.message}`, {}, { cause: error })
  }
}

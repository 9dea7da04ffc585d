import { closeSync, fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { isatty } from 'node:tty'
import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { isErrno, unwritable } from '../../platform/files/error-code.ts'
import type { Streams } from './output.ts'

const STDOUT = 1

/** Standard output of this process. Nothing else may write to it, since `requireWritten` reports what this stream could not write. */
export function standardOutput(): Writable {
  const stats = fstatSync(STDOUT)
  const hasReader = stats.isFIFO() || stats.isSocket() || isatty(STDOUT)
  return hasReader ? new ReaderOutput() : new FileOutput(STDOUT)
}

/** Its error is kept for `requireWritten`. Not thrown from a listener: it could get lost in Node. */
abstract class CheckedOutput extends Writable {
  constructor() {
    super({ decodeStrings: true })
    this.on('error', () => undefined)
  }
}

/** A pipe, a socket or a terminal. The stream that Node opens for it forgets its error. */
class ReaderOutput extends CheckedOutput {
  readonly isTTY = isatty(STDOUT)
  readonly #stream = process.stdout.on('error', () => undefined)

  /** Of a terminal. */
  get columns(): number | undefined {
    return this.isTTY ? this.#stream.columns : undefined
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#stream.write(part, done)
  }
}

/**
 * Writes every byte to a file or a device, or fails. The stream that Node opens for a file does not notice when a full disk takes
 * only the first part of a write.
 */
export class FileOutput extends CheckedOutput {
  readonly #fd: number

  constructor(fd: number) {
    super()
    this.#fd = fd
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
export async function requireWritten({ stdout }: Streams, before = ''): Promise<void> {
  // A slow reader has not taken everything yet.
  if (stdout.errored === null) await new Promise<unknown>((done) => stdout.write('', done))
  if (isGoneReader(stdout.errored)) return
  try {
    if (stdout.errored !== null) throw stdout.errored
    if (stdout instanceof FileOutput) stdout.close()
  } catch (thrown) {
    const error = isFilemgrError(thrown) ? thrown : failure(thrown)
    throw new FilemgrError(error.code, `${before}${error.message}`, {}, { cause: error })
  }
}

/** True for the error of a write to a pipe that nobody reads any more, as in "filemgr users ls | head -1". */
export function isGoneReader(error: unknown): boolean {
  return isErrno(error, 'EPIPE')
}

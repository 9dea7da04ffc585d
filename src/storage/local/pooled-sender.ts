import { read } from 'node:fs'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { FilemgrError } from '../../domain/errors.ts'
import { shrunk, type ByteRange } from './file-stream.ts'

const BUFFER = 1024 * 1024
/** Idle buffers that are kept for the next sender. */
const MOST_IDLE = 16

const readDescriptor = promisify(read)

/** Buffers that are used again and again: fresh ones cost more than the reading. */
export class BufferPool {
  readonly #idle: Buffer[] = []

  take(): Buffer {
    return this.#idle.pop() ?? Buffer.allocUnsafeSlow(BUFFER)
  }

  giveBack(buffer: Buffer): void {
    if (this.#idle.length < MOST_IDLE) this.#idle.push(buffer)
  }
}

/**
 * Sends bytes from two buffers in turn: one is read while the other is on its way.
 *
 * @param destination must be done with a chunk when it calls back, as sockets and answers are; transforms may not be
 * @throws CANCELLED when the destination closes
 */
export async function sendPooled(fd: number, range: ByteRange, destination: Writable, pool: BufferPool): Promise<void> {
  const buffers = [pool.take(), pool.take()] as const
  let position = range.start
  let sending = Promise.resolve()
  try {
    for (let turn = 0; position <= range.end; turn += 1) {
      const buffer = turn % 2 === 0 ? buffers[0] : buffers[1]
      const { bytesRead } = await readDescriptor(fd, buffer, 0, Math.min(BUFFER, range.end - position + 1), position)
      if (bytesRead === 0) throw shrunk()
      position += bytesRead
      await sending
      sending = written(destination, buffer.subarray(0, bytesRead))
      // Waited for above or below; a failure before that must not count as unhandled.
      sending.catch(() => undefined)
    }
    await sending
  } finally {
    await sending.then(
      () => buffers.forEach((buffer) => pool.giveBack(buffer)),
      // The system may still be reading from it: not for others again.
      () => undefined,
    )
  }
}

async function written(destination: Writable, bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onClose = () => reject(new FilemgrError('CANCELLED', 'the receiver went away'))
  destination.once('close', onClose)
  destination.write(bytes, (error) => (error ? reject(error) : resolve()))
  try {
    await promise
  } finally {
    destination.off('close', onClose)
  }
}

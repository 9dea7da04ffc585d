import type { Writable } from 'node:stream'
import { FilemgrError } from '../../domain/errors.ts'

/** Resolves when a connection has taken a part. @throws CANCELLED when it closes meanwhile, which a write that waits is not told */
export async function writePart(stream: Writable, part: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const gone = (cause?: Error) => new FilemgrError('CANCELLED', 'the receiver went away', {}, { cause })
  const onClose = () => reject(gone())
  if (stream.destroyed) onClose()
  stream.once('close', onClose)
  // Under any code, a failed write means that the client is gone.
  stream.write(part, (error) => (error ? reject(gone(error)) : resolve()))
  try {
    await promise
  } finally {
    stream.off('close', onClose)
  }
}

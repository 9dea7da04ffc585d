import type { Writable } from 'node:stream'
import { FilemgrError } from '../../domain/errors.ts'

/** Resolves once the stream has taken a part. @throws CANCELLED if it closes first, when `write` may never call back */
export async function writePart(stream: Writable, part: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const gone = (cause?: Error) => new FilemgrError('CANCELLED', 'the client disconnected', {}, { cause })
  const onClose = () => reject(gone())
  if (stream.destroyed) onClose()
  stream.once('close', onClose)
  // Whatever its code, a write error means that the client has disconnected.
  stream.write(part, (error) => (error ? reject(gone(error)) : resolve()))
  try {
    await promise
  } finally {
    stream.off('close', onClose)
  }
}

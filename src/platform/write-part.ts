import type { Writable } from 'node:stream'
import { FilemgrError } from '../domain/errors.ts'

/** Resolves when a stream has taken a part. @throws CANCELLED when it closes meanwhile, which a write that waits is not told */
export async function writePart(stream: Writable, part: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onClose = () => reject(new FilemgrError('CANCELLED', 'the receiver went away'))
  if (stream.destroyed) onClose()
  stream.once('close', onClose)
  stream.write(part, (error) => (error ? reject(error) : resolve()))
  try {
    await promise
  } finally {
    stream.off('close', onClose)
  }
}

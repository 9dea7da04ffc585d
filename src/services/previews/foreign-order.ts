import type { Writable } from 'node:stream'
import { fail } from '../../domain/errors.ts'
import { readImageHead } from '../../domain/media/image-head.ts'
import type { ForeignDecoders, ForeignKind } from '../../platform/images/foreign-decoders.ts'
import type { PictureTask } from '../../platform/images/image-messages.ts'
import type { PictureSource } from '../../platform/images/image-process.ts'
import type { PictureOrder } from '../../platform/images/image-processes.ts'
import { type OrderedFile, requireDecodable } from './picture-order.ts'
export interface ForeignFile extends Pick<OrderedFile, 'file' | 'head'> {
  readonly kind: ForeignKind
}

/**
 * What is asked for a file that a program of others decodes first. One such at a time, because it may take much memory; what it
 * makes is decoded once more, as a picture of anybody's making.
 *
 * @throws TOO_LARGE, UNSUPPORTED
 */
export function foreignOrder(
  { file, head, kind }: ForeignFile,
  decoders: Pick<ForeignDecoders, 'decode'>,
  task: PictureTask,
  signal: AbortSignal,
): PictureOrder {
  const { descriptor } = file
  if (descriptor === undefined) fail('NOT_IMPLEMENTED', 'only files of this machine are shown by other programs')
  // Of a video only the start is read.
  if (kind === 'heif') requireDecodable(file.size, readImageHead(head))
  const source = async () => sourceOf(await decoders.decode({ kind, descriptor, signal }))
  return { task: { ...task, orientation: 1 }, source, isHeavy: true, signal }
}

function sourceOf(bytes: Uint8Array): PictureSource {
  const send = async (destination: Writable) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    destination.write(bytes, (error) => (error ? reject(error) : resolve()))
    await promise
  }
  return { size: bytes.length, send }
}

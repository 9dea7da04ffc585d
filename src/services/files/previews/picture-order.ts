import type { Writable } from 'node:stream'
import { fail } from '../../../domain/errors.ts'
import { type ImageHead, readImageHead } from '../../../domain/files/media/image-head.ts'
import type { RawPreview } from '../../../domain/files/media/raw-preview.ts'
import { MAX_SIDE, MAX_PIXELS, type PictureTask, type ToProcess } from '../../../platform/images/image-messages.ts'
import type { PictureOrder } from '../../../platform/images/image-processes.ts'
import type { OpenFile } from '../../../storage/open-file.ts'
import { readInnerPicture } from './inner-picture.ts'
import type { ForeignDecoders, ForeignKind } from '../../../platform/images/foreign-decoders.ts'
import type { PictureSource } from '../../../platform/images/image-process.ts'

const MEBIBYTE = 1024 * 1024
/** Larger files are not decoded, in bytes. */
const MAX_SOURCE_SIZE = 50 * MEBIBYTE
/** Pictures with more pixels may need all the memory of a process. */
const HEAVY_PIXELS = 25_000_000
const DECODED_WHOLE = /\.(tiff?|bmp)$/i

export interface OrderedFile {
  readonly file: OpenFile
  /** Its first bytes. */
  readonly head: Uint8Array
  /** A picture inside the file, to use instead of the whole. */
  readonly part?: RawPreview | undefined
}

/**
 * The order for the image processes. Refuses a picture that is too large according to its header, before it waits in a queue.
 *
 * @throws TOO_LARGE, UNSUPPORTED
 */
export function pictureOrder(
  { file, head, part }: OrderedFile,
  task: ToProcess['task'],
  signal: AbortSignal,
): PictureOrder {
  const { start, length } = part ?? { start: 0, length: file.size }
  const dimensions = part === undefined ? readImageHead(head) : undefined
  requireDecodable(length, dimensions)
  return {
    task: part === undefined ? task : { ...task, orientation: part.orientation },
    // Read through the open descriptor: the attack is to replace the file by a link meanwhile.
    source: { size: length, send: async (destination) => await file.send(destination, start, start + length - 1) },
    isHeavy:
      dimensions === undefined ||
      dimensions.width * dimensions.height * (DECODED_WHOLE.test(file.name) ? 4 : 1) > HEAVY_PIXELS,
    signal,
  }
}

/** @param length in bytes. @throws TOO_LARGE, UNSUPPORTED */
function requireDecodable(length: number, dimensions: ImageHead | undefined): void {
  if (length > MAX_SOURCE_SIZE) fail('TOO_LARGE', `pictures above ${MAX_SOURCE_SIZE / MEBIBYTE} MiB have no preview`)
  if (length === 0) fail('UNSUPPORTED', 'the file is empty')
  const { width = 0, height = 0 } = dimensions ?? {}
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    fail('TOO_LARGE', 'the picture has too many pixels')
}

export interface ForeignFile extends Pick<OrderedFile, 'file' | 'head'> {
  readonly kind: ForeignKind
}

/**
 * The order for a file that an external program decodes first. One at a time, because it may need much memory. Its output is
 * decoded once more, as an untrusted picture.
 *
 * @throws TOO_LARGE, UNSUPPORTED
 */
export function foreignOrder(
  { file, head, kind }: ForeignFile,
  decoders: ForeignDecoders,
  task: PictureTask,
  signal: AbortSignal,
): PictureOrder {
  const { descriptor } = file
  if (descriptor === undefined)
    fail('NOT_IMPLEMENTED', 'external programs can decode only files on a disk of this machine')
  // Only the start of a video is read.
  if (kind === 'heif') requireDecodable(file.size, readImageHead(head))
  const source = async () => sourceOf(await decoders.decode({ kind, descriptor, signal }))
  return { task: { ...task, orientation: 1 }, source, isHeavy: true, signal }
}

/** The order for a picture in a zip archive, which is read when it is its turn. It is as untrusted as an uploaded one. */
export function innerOrder(file: OpenFile, task: PictureTask, signal: AbortSignal): PictureOrder {
  return { task, source: async () => sourceOf(await readInnerPicture(file, signal)), isHeavy: true, signal }
}

function sourceOf(bytes: Uint8Array): PictureSource {
  const send = async (destination: Writable) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    destination.write(bytes, (error) => (error ? reject(error) : resolve()))
    await promise
  }
  return { size: bytes.length, send }
}

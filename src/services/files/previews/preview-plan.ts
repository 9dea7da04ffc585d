import { hash } from 'node:crypto'
import { isHeif, readImageHead } from '../../../domain/files/media/image-head.ts'
import { mediaTypeOf, sniff, SNIFFED_BYTES } from '../../../domain/files/media/media-type.ts'
import { findRawPreview, isRawName, RAW_HEAD_BYTES, type RawPreview } from '../../../domain/files/media/raw-preview.ts'
import { videoContainer } from '../../../domain/files/media/video-container.ts'
import type { ForeignDecoders, ForeignKind } from '../../../platform/images/foreign-decoders.ts'
import type { OpenFile } from '../../../storage/storage.ts'
import { fail } from '../../../domain/errors.ts'
import type { PictureTask } from '../../../platform/images/image-messages.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { CacheKey } from '../../../platform/cache/byte-cache.ts'

/** How to make the preview of a file. */
export type PreviewPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'original' }
  /** `part`: a JPEG inside the file, to use instead of the whole. `foreign`: the kind of file for an external program. */
  | { readonly kind: 'resize'; readonly part?: RawPreview; readonly foreign?: ForeignKind }

export interface PlanInput {
  readonly isEnabled: boolean
  readonly foreign: ForeignDecoders
}

const RESIZED = /\.(jpe?g|png|tiff?|bmp)$/i
const HEIF = /\.hei[cf]$/i

/** Decides by the file name, as old clients expect. Content that does not match the name fails later, when it is decoded. */
export async function planPreview(file: OpenFile, { isEnabled, foreign }: PlanInput): Promise<PreviewPlan> {
  const { name, size } = file
  const mediaType = mediaTypeOf(name) ?? sniff(await file.head(SNIFFED_BYTES))
  const decodedBy = async (kind: ForeignKind | undefined): Promise<PreviewPlan | undefined> =>
    kind !== undefined && file.descriptor !== undefined && (await foreign.canDecode(kind))
      ? { kind: 'resize', foreign: kind }
      : undefined
  if (mediaType.startsWith('video') && isEnabled)
    return (await decodedBy(videoContainer(await file.head(SNIFFED_BYTES)))) ?? { kind: 'none' }
  if (!mediaType.startsWith('image')) return { kind: 'none' }
  if (!isEnabled) return { kind: 'original' }
  if (RESIZED.test(name)) return { kind: 'resize' }
  if (HEIF.test(name))
    return (await decodedBy(isHeif(await file.head(SNIFFED_BYTES)) ? 'heif' : undefined)) ?? { kind: 'original' }
  const part = isRawName(name) ? findRawPreview(await file.head(RAW_HEAD_BYTES), size) : undefined
  return part === undefined ? { kind: 'original' } : { kind: 'resize', part }
}

/** The thumbnail that a camera has embedded in a JPEG, if it needs no rotation. */
export function embeddedPicture(head: Uint8Array): Uint8Array | undefined {
  const { embedded, orientation = 1 } = readImageHead(head) ?? {}
  return embedded && orientation === 1 ? head.slice(embedded.start, embedded.end) : undefined
}

/** A size and format of a preview. */
export interface PreviewVariant {
  readonly size: 'thumb' | 'big'
  readonly task: PictureTask
  /** Undefined for the type that the file name implies, which old clients expect. */
  readonly mediaType: string | undefined
  /** Whether the thumbnail embedded by a camera is large enough. */
  readonly takesEmbedded: boolean
}

const FRAMES = { thumb: { frame: 'cover', side: 256 }, big: { frame: 'fit', side: 1080 } } as const

/** The side in pixels of a preview that is no substitute for its picture. */
export const SMALL_SIDE = FRAMES.thumb.side

/**
 * WebP for clients that accept it, as browsers do: it is much smaller, takes hardly more time, and keeps transparency. AVIF takes
 * several times as long and is hardly smaller, so it is only for clients that do not name WebP.
 *
 * @param accept the Accept header
 * @param maxSide in pixels
 * @throws INVALID_INPUT for an unknown size
 */
export function previewVariant(size: string, accept = '', maxSide = Infinity): PreviewVariant {
  if (size !== 'thumb' && size !== 'big')
    fail('INVALID_INPUT', `${size} is not a valid PreviewSize, try [thumb, big]`, { field: 'size' })
  const frame = { ...FRAMES[size], side: Math.min(FRAMES[size].side, maxSide) }
  for (const format of ['webp', 'avif'] as const) {
    if (!names(accept, `image/${format}`) || (format === 'avif' && size === 'big')) continue
    return { size, task: { ...frame, format }, mediaType: `image/${format}`, takesEmbedded: false }
  }
  const format = size === 'thumb' ? 'jpeg' : 'same'
  return { size, task: { ...frame, format }, mediaType: undefined, takesEmbedded: size === 'thumb' }
}

/** Whether an Accept header names a type explicitly, with a quality above 0. */
function names(accept: string, mediaType: string): boolean {
  return accept.split(',').some((entry) => {
    const [type = '', ...parameters] = entry.toLowerCase().split(';')
    return type.trim() === mediaType && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
  })
}

/** All previews of a file, for every user. @param path in the served folder */
export function previewGroup(path: VirtualPath): string {
  return digest(path)
}

/**
 * The cache key of a preview. A replaced picture has another inode, size or time, even when its time is set back, so it never
 * gets the old preview.
 */
export function previewKey(group: string, file: OpenFile, variant: PreviewVariant): CacheKey {
  const { size, modified, inode } = file
  return { group, name: digest(`${size} ${modified} ${inode} ${JSON.stringify(variant.task)}`) }
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 40)
}

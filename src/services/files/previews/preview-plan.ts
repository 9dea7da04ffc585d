import { hash } from 'node:crypto'
import { isHeif, readImageHead } from '../../../domain/files/media/image-head.ts'
import {
  looksBinary,
  mediaTypeOf,
  resourceTypeOf,
  sniff,
  SNIFFED_BYTES,
} from '../../../domain/files/media/media-type.ts'
import { findRawPreview, isRawName, RAW_HEAD_BYTES, type RawPreview } from '../../../domain/files/media/raw-preview.ts'
import { findSongCover } from '../../../domain/files/media/song-cover.ts'
import { videoContainer } from '../../../domain/files/media/video-container.ts'
import type { ForeignDecoders, ForeignKind } from '../../../platform/images/foreign-decoders.ts'
import type { OpenFile } from '../../../storage/open-file.ts'
import { fail } from '../../../domain/errors.ts'
import type { PictureTask } from '../../../platform/images/image-messages.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { CacheKey } from '../../../platform/cache/byte-cache.ts'
import { innerPictureOf } from './inner-picture.ts'

/** How to make the preview of a file. */
export type PreviewPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'original' }
  /** The first lines of a text, as a drawing; `isInner`: of a text in this zip archive. */
  | { readonly kind: 'lines'; readonly isInner?: true }
  | PicturePlan

export interface PicturePlan {
  readonly kind: 'resize'
  /** A picture inside the file, to use instead of the whole. */
  readonly part?: RawPreview | undefined
  /** The kind of file for an external program. */
  readonly foreign?: ForeignKind
  /** The picture is a file in this zip archive. */
  readonly isInner?: true
  /** How a thumbnail is cut, if not to a square. */
  readonly frame?: PictureTask['frame']
}

export interface PlanInput {
  readonly isEnabled: boolean
  /** The client takes drawings, and a small text may be told. */
  readonly showsTexts: boolean
  readonly foreign: ForeignDecoders
}

const RESIZED = /\.(jpe?g|png|tiff?|bmp)$/i
const HEIF = /\.hei[cf]$/i

/** Decides by the file name, as old clients expect. Content that does not match the name fails later, when it is decoded. */
export async function planPreview(file: OpenFile, input: PlanInput): Promise<PreviewPlan> {
  const { name, size } = file
  const mediaType = mediaTypeOf(name) ?? sniff(await file.head(SNIFFED_BYTES))
  if (!mediaType.startsWith('image')) return input.isEnabled ? await planOf(file, mediaType, input) : NONE
  if (!input.isEnabled) return { kind: 'original' }
  if (RESIZED.test(name)) return { kind: 'resize' }
  if (HEIF.test(name)) {
    const isReal = isHeif(await file.head(SNIFFED_BYTES))
    return (await decodedBy(file, input.foreign, isReal ? 'heif' : undefined)) ?? { kind: 'original' }
  }
  const part = isRawName(name) ? findRawPreview(await file.head(RAW_HEAD_BYTES), size) : undefined
  return part === undefined ? { kind: 'original' } : { kind: 'resize', part }
}

const NONE = { kind: 'none' } as const

/** The plan for a file that is no picture. */
async function planOf(file: OpenFile, mediaType: string, { foreign, showsTexts }: PlanInput): Promise<PreviewPlan> {
  const head = await file.head(SNIFFED_BYTES)
  if (mediaType.startsWith('video')) return (await decodedBy(file, foreign, videoContainer(head))) ?? NONE
  if (mediaType === 'application/pdf') {
    const plan = await decodedBy(file, foreign, sniff(head) === mediaType ? 'pdf' : undefined)
    return plan === undefined ? NONE : { ...plan, frame: 'top' }
  }
  const inner = innerPictureOf(file.name)
  if (inner === 'text') return showsTexts ? { kind: 'lines', isInner: true } : NONE
  if (inner !== undefined) return { kind: 'resize', isInner: true, frame: inner === 'cover' ? 'whole' : 'top' }
  if (mediaType.startsWith('audio')) {
    const { FileBytes } = await import('../../../platform/archives/read/archive-bytes.ts')
    const part = await findSongCover(new FileBytes(file))
    return part === undefined ? NONE : { kind: 'resize', part }
  }
  const isText = resourceTypeOf(mediaType, file.size, () => !looksBinary(head)) === 'text'
  return isText && showsTexts && file.size > 0 ? { kind: 'lines' } : NONE
}

/** Undefined if no program for this kind is installed, or it could not be given the file. */
async function decodedBy(
  { descriptor }: OpenFile,
  foreign: ForeignDecoders,
  kind: ForeignKind | undefined,
): Promise<PicturePlan | undefined> {
  if (kind === undefined || descriptor === undefined || !(await foreign.canDecode(kind))) return undefined
  return { kind: 'resize', foreign: kind }
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
  /** The client takes drawings. */
  readonly takesDrawings: boolean
}

const FRAMES = { thumb: { frame: 'cover', side: 256 }, big: { frame: 'fit', side: 1080 } } as const

/** The media type of the picture of a text. */
export const DRAWING = 'image/svg+xml'

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
  const takesDrawings = size === 'thumb' && names(accept, DRAWING)
  for (const format of ['webp', 'avif'] as const) {
    if (!names(accept, `image/${format}`) || (format === 'avif' && size === 'big')) continue
    return { size, task: { ...frame, format }, mediaType: `image/${format}`, takesEmbedded: false, takesDrawings }
  }
  const format = size === 'thumb' ? 'jpeg' : 'same'
  return { size, task: { ...frame, format }, mediaType: undefined, takesEmbedded: size === 'thumb', takesDrawings }
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
export function previewKey(group: string, file: OpenFile, task: PictureTask): CacheKey {
  const { size, modified, inode } = file
  return { group, name: digest(`${size} ${modified} ${inode} ${JSON.stringify(task)}`) }
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 40)
}

import { isHeif, readImageHead } from '../../domain/media/image-head.ts'
import { mediaTypeOf, sniff, SNIFFED_BYTES } from '../../domain/media/media-type.ts'
import { findRawPreview, isRawName, RAW_HEAD_BYTES, type RawPreview } from '../../domain/media/raw-preview.ts'
import { videoContainer } from '../../domain/media/video-container.ts'
import type { ForeignDecoders, ForeignKind } from '../../platform/images/foreign-decoders.ts'
import type { OpenFile } from '../../storage/storage.ts'
/** What is sent as the preview of a file. */
export type PreviewPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'original' }
  /** `part`: a JPEG inside of the file, in place of the whole. `foreign`: what a program of others is to decode before. */
  | { readonly kind: 'resize'; readonly part?: RawPreview; readonly foreign?: ForeignKind }

export interface PlanQuestion {
  readonly isEnabled: boolean
  readonly foreign: Pick<ForeignDecoders, 'shows'>
}

const RESIZED = /\.(jpe?g|png|tiff?|bmp)$/i
const HEIF = /\.hei[cf]$/i

/** Tells by the name how a file is shown small, as old clients know it; what it really is, its bytes tell later. */
export async function planPreview(file: OpenFile, { isEnabled, foreign }: PlanQuestion): Promise<PreviewPlan> {
  const { name, size } = file
  const mediaType = mediaTypeOf(name) ?? sniff(await file.head(SNIFFED_BYTES))
  const shown = async (kind: ForeignKind | undefined): Promise<PreviewPlan | undefined> =>
    kind !== undefined && file.descriptor !== undefined && (await foreign.shows(kind))
      ? { kind: 'resize', foreign: kind }
      : undefined
  if (mediaType.startsWith('video') && isEnabled)
    return (await shown(videoContainer(await file.head(SNIFFED_BYTES)))) ?? { kind: 'none' }
  if (!mediaType.startsWith('image')) return { kind: 'none' }
  if (!isEnabled) return { kind: 'original' }
  if (RESIZED.test(name)) return { kind: 'resize' }
  if (HEIF.test(name))
    return (await shown(isHeif(await file.head(SNIFFED_BYTES)) ? 'heif' : undefined)) ?? { kind: 'original' }
  const part = isRawName(name) ? findRawPreview(await file.head(RAW_HEAD_BYTES), size) : undefined
  return part === undefined ? { kind: 'original' } : { kind: 'resize', part }
}

/** The small picture that a camera has put into a JPEG, if it is turned as the large one is to be. */
export function embeddedPicture(head: Uint8Array): Uint8Array | undefined {
  const { embedded, orientation = 1 } = readImageHead(head) ?? {}
  return embedded && orientation === 1 ? head.slice(embedded.start, embedded.end) : undefined
}

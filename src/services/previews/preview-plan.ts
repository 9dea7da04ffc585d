import { readImageHead } from '../../domain/image-head.ts'
import { mediaTypeOf, sniff, SNIFFED_BYTES } from '../../domain/media-type.ts'
import { findRawPreview, isRawName, RAW_HEAD_BYTES, type RawPreview } from '../../domain/raw-preview.ts'
import type { OpenFile } from '../../storage/storage.ts'

/** What is sent as the preview of a file. */
export type PreviewPlan =
  | { readonly kind: 'none' }
  | { readonly kind: 'original' }
  /** `part`: a JPEG inside of the file, in place of the whole. */
  | { readonly kind: 'resize'; readonly part?: RawPreview }

const RESIZED = /\.(jpe?g|png|tiff?|bmp)$/i

/** Tells by the name how a file is shown small, as old clients know it; what it really is, its bytes tell later. */
export async function planPreview(file: OpenFile, isEnabled: boolean): Promise<PreviewPlan> {
  const { name, size } = file
  const mediaType = mediaTypeOf(name) ?? sniff(await file.head(SNIFFED_BYTES))
  if (!mediaType.startsWith('image')) return { kind: 'none' }
  if (!isEnabled) return { kind: 'original' }
  if (RESIZED.test(name)) return { kind: 'resize' }
  const part = isRawName(name) ? findRawPreview(await file.head(RAW_HEAD_BYTES), size) : undefined
  return part === undefined ? { kind: 'original' } : { kind: 'resize', part }
}

/** The small picture that a camera has put into a JPEG, if it is turned as the large one is to be. */
export function embeddedPicture(head: Uint8Array): Uint8Array | undefined {
  const { embedded, orientation = 1 } = readImageHead(head) ?? {}
  return embedded && orientation === 1 ? head.slice(embedded.start, embedded.end) : undefined
}

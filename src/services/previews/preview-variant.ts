import { fail } from '../../domain/errors.ts'
import type { PictureTask } from '../../platform/images/image-messages.ts'

/** One way to show a file small. */
export interface PreviewVariant {
  readonly size: 'thumb' | 'big'
  readonly task: PictureTask
  /** Undefined: the one that the name of the file promises, which is what old clients are told. */
  readonly mediaType: string | undefined
  /** Whether the small picture of a camera will do. */
  readonly takesEmbedded: boolean
}

const FRAMES = { thumb: { frame: 'cover', side: 256 }, big: { frame: 'fit', side: 1080 } } as const

/**
 * WebP for whoever names it, as browsers do: it is much smaller for hardly more time, and keeps transparency. AVIF takes several
 * times as long for little less, so it is for those who name nothing else.
 *
 * @param accept the header of that name
 * @throws INVALID_INPUT for a size that there is not
 */
export function previewVariant(size: string, accept = ''): PreviewVariant {
  if (size !== 'thumb' && size !== 'big')
    fail('INVALID_INPUT', `${size} is not a valid PreviewSize, try [thumb, big]`, { field: 'size' })
  const frame = FRAMES[size]
  for (const format of ['webp', 'avif'] as const) {
    if (!names(accept, `image/${format}`) || (format === 'avif' && size === 'big')) continue
    return { size, task: { ...frame, format }, mediaType: `image/${format}`, takesEmbedded: false }
  }
  const format = size === 'thumb' ? 'jpeg' : 'same'
  return { size, task: { ...frame, format }, mediaType: undefined, takesEmbedded: size === 'thumb' }
}

/** Whether a header names a type itself, other than as unwanted. */
function names(accept: string, mediaType: string): boolean {
  return accept.split(',').some((entry) => {
    const [type = '', ...parameters] = entry.toLowerCase().split(';')
    return type.trim() === mediaType && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
  })
}

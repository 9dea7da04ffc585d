import { isRawName } from '../../../../src/domain/media/raw-preview.ts'
import type { ClientConfig } from '../../../../src/domain/client-config.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
/** A thumbnail weighs about as much. */
const TINY = 16 * 1024
/** The server sends pictures of these kinds as they are. */
const LARGEST_DRAWN_AS_IT_IS = 4 * 1024 * 1024
const DRAWN_BY_BROWSERS = /\.(png|apng|jpe?g|jfif|gif|webp|avif|svg|bmp|ico)$/i
const MADE_SMALL = /\.(jpe?g|png|tiff?|bmp|hei[cf])$/i

export type Pictured = Pick<Resource, 'name' | 'type' | 'size'>

/** What the server makes. */
export type MadePictures = Pick<ClientConfig, 'EnableThumbs' | 'VideoThumbs'>

/** What shows a file small: a thumbnail, or the file where that is as good. Undefined for what has no picture. */
export function smallPictureOf({ name, type, size }: Pictured, made: MadePictures): 'raw' | 'thumbnail' | undefined {
  const { EnableThumbs: thumbnails, VideoThumbs: ofVideos = false } = made
  if (size === 0) return undefined
  if (type === 'video') return ofVideos ? 'thumbnail' : undefined
  if (thumbnails && isRawName(name)) return 'thumbnail'
  if (type !== 'image') return undefined
  const drawn = DRAWN_BY_BROWSERS.test(name)
  if (thumbnails && MADE_SMALL.test(name) && !(drawn && size <= TINY)) return 'thumbnail'
  return drawn && size <= LARGEST_DRAWN_AS_IT_IS ? 'raw' : undefined
}

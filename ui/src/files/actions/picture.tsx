import { useCallback, useEffect, useState } from 'react'
import { FileGlyph, type FileGlyphName } from '../../kit/icon/icon.tsx'
import { getRaw } from '../../../../src/api/files/files.ts'
import { getPreview } from '../../../../src/api/files/previews.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useUser } from '../../api/session.ts'
import { isRawName } from '../../../../src/domain/files/media/raw-preview.ts'
import type { ClientConfig } from '../../../../src/domain/settings/client-config.ts'
import { nameOf } from '../../../../src/domain/files/virtual-path.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import type { FileItem } from './model.ts'

interface PictureProps {
  /** Stands for it while there is none. */
  readonly glyph: FileGlyphName
  /** Pixels of the glyph; it follows the density unless told. */
  readonly size?: 56
  readonly src: string | null
  isScrolling?(): boolean
}

/** Milliseconds that a picture stays in view before it loads, so that fast scrolling loads none. */
const STAY = 250

/** The picture, or the glyph of its type when there is none or it fails to load. */
export function Picture({ glyph, size, src, isScrolling }: PictureProps) {
  const [stays, setStays] = useState(() => isScrolling?.() !== true)
  const [broken, setBroken] = useState<string | null>(null)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => setStays(true), STAY)
    return () => clearTimeout(timer)
  }, [stays])
  if (src === null || broken === src) return <FileGlyph type={glyph} size={size} />
  return (
    <img
      src={stays ? src : undefined}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(src)}
    />
  )
}

/** Gives the address of the small picture of a file; null when there is none. */
export function useSmallPicture(): (entry: Pictured & Pick<Resource, 'modified'>, path: string) => string | null {
  const client = useClient()
  const config = useConfig()
  const mayDownload = useUser()?.perm.download ?? false
  return useCallback(
    (entry, path) => {
      const how = mayDownload ? smallPictureOf(entry, config) : undefined
      if (how === undefined) return null
      const shown = { inline: 'true' }
      if (how === 'raw') return client.url(getRaw, { params: { '*': path }, query: shown })
      const key = String(Date.parse(entry.modified))
      return client.url(getPreview, { params: { size: 'thumb', '*': path }, query: { ...shown, key } })
    },
    [client, config, mayDownload],
  )
}

/** A thumbnail weighs about as much. */
const TINY = 16 * 1024
/** The server sends pictures of these kinds as they are. */
const LARGEST_DRAWN_AS_IT_IS = 4 * 1024 * 1024
const DRAWN_BY_BROWSERS = /\.(png|apng|jpe?g|jfif|gif|webp|avif|svg|bmp|ico)$/i
const MADE_SMALL = /\.(jpe?g|png|tiff?|bmp|hei[cf])$/i

type Pictured = Pick<Resource, 'name' | 'type' | 'size'>

/** What the server makes. */
type MadePictures = Pick<ClientConfig, 'EnableThumbs' | 'VideoThumbs'>

/** How to show a file small: by a thumbnail, or by the file itself where that is as good. Undefined without a picture. */
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

export function glyphOf({ path, isDir, type }: Pick<FileItem, 'path' | 'isDir' | 'type'>): FileGlyphName {
  if (type === 'invalid_link') return 'broken'
  return isDir ? 'folder' : (kindOfName(nameOf(path)) ?? 'other')
}

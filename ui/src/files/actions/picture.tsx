import { useCallback, useEffect, useState } from 'react'
import { FileGlyph, type FileGlyphName } from '../../kit/icon/icon.tsx'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { getPreview } from '../../../../src/api/files/previews.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { usePermissionsAt } from '../../api/permissions.ts'
import { isRawName } from '../../../../src/domain/files/media/raw-preview.ts'
import type { ClientConfig } from '../../../../src/domain/settings/client-config.ts'
import { nameOf } from '../../../../src/domain/files/virtual-path.ts'
import { kindOfName } from '../../lib/file-kind.ts'
import type { FileItem } from './model.ts'

interface PictureProps {
  /** Shown instead of a missing picture. */
  readonly glyph: FileGlyphName
  /** Icon size in pixels; by default it follows the row height. */
  readonly size?: 56
  readonly src: string | null
  isScrolling?(): boolean
}

/** Milliseconds in view before a picture loads, so that fast scrolling loads none. */
const DELAY = 250

/** A thumbnail, or the icon of the file type if there is none or it fails to load. */
export function Picture({ glyph, size, src, isScrolling }: PictureProps) {
  const [settled, setSettled] = useState(() => isScrolling?.() !== true)
  const [broken, setBroken] = useState<string | null>(null)
  useEffect(() => {
    if (settled) return
    const timer = setTimeout(() => setSettled(true), DELAY)
    return () => clearTimeout(timer)
  }, [settled])
  if (src === null || broken === src) return <FileGlyph type={glyph} size={size} />
  return (
    <img
      src={settled ? src : undefined}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(src)}
    />
  )
}

/** The URL of a file's thumbnail; null if it has none. */
export function useSmallPicture(): (entry: Pictured & Pick<Resource, 'modified'>, path: string) => string | null {
  const client = useClient()
  const config = useConfig()
  const permissionsAt = usePermissionsAt()
  return useCallback(
    (entry, path) => {
      const source = permissionsAt(path).read ? smallPictureOf(entry, config) : undefined
      if (source === undefined) return null
      const inline = { inline: 'true' }
      if (source === 'raw') return client.url(getRaw, { params: { '*': path }, query: inline })
      const key = String(Date.parse(entry.modified))
      return client.url(getPreview, { params: { size: 'thumb', '*': path }, query: { ...inline, key } })
    },
    [client, config, permissionsAt],
  )
}

/** Bytes. Such an image is about as small as its thumbnail, so it is shown itself. */
const MAX_SMALL_ORIGINAL = 16 * 1024
/** Bytes. Without a thumbnail, images up to this size are shown themselves. */
const MAX_ORIGINAL = 4 * 1024 * 1024
/** Image formats that the server can resize. */
const RESIZABLE = /\.(jpe?g|png|tiff?|bmp|hei[cf])$/i

/** Songs, books and documents, which may have a picture inside. */
const COVERED = /\.(mp3|flac|m4[ab]|epub|docx|pptx|od[tsp])$/i

/** Whether browsers can display this image format. */
export function isBrowserImage(name: string): boolean {
  return /\.(png|apng|jpe?g|jfif|gif|webp|avif|svg|bmp|ico)$/i.test(name)
}

type Pictured = Pick<Resource, 'name' | 'type' | 'size'>

/** The thumbnails that the server generates. */
type ThumbnailConfig = Pick<ClientConfig, 'EnableThumbs' | 'PdfThumbs' | 'VideoThumbs'>

/** Whether a file is previewed with a thumbnail or with the file itself; undefined without a preview. */
export function smallPictureOf(
  { name, type, size }: Pictured,
  config: ThumbnailConfig,
): 'raw' | 'thumbnail' | undefined {
  const { EnableThumbs: thumbnails, VideoThumbs: ofVideos, PdfThumbs: ofPdf } = config
  if (size === 0) return undefined
  const isMade =
    type === 'video' ? ofVideos : type === 'pdf' ? ofPdf : thumbnails && (type.startsWith('text') || COVERED.test(name))
  if (isMade || (thumbnails && isRawName(name))) return 'thumbnail'
  if (type !== 'image') return undefined
  const displayable = isBrowserImage(name)
  if (thumbnails && RESIZABLE.test(name) && !(displayable && size <= MAX_SMALL_ORIGINAL)) return 'thumbnail'
  return displayable && size <= MAX_ORIGINAL ? 'raw' : undefined
}

export function glyphOf({ path, isDir, type }: Pick<FileItem, 'path' | 'isDir' | 'type'>): FileGlyphName {
  if (type === 'invalid_link') return 'broken'
  return isDir ? 'folder' : (kindOfName(nameOf(path)) ?? 'other')
}

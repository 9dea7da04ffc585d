import { extensionOf } from '../../../../src/domain/files/media/media-type.ts'
import { isRawName } from '../../../../src/domain/files/media/raw-preview.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { isBrowserImage } from '../../files/actions/picture.tsx'

/** How a file is shown; "none" offers a download only. */
export type ViewKind =
  'image' | 'video' | 'audio' | 'pdf' | 'epub' | 'document' | 'sheets' | 'table' | 'markdown' | 'text' | 'none'

/** HEIF only if the server has a program for it; some browsers show the file itself. */
const SERVER_IMAGES = /^\.(tiff?|hei[cf])$/i
const HEIF = /^\.hei[cf]$/i

export function viewKindOf({ name, type }: Pick<Resource, 'name' | 'type'>): ViewKind {
  const extension = extensionOf(name).toLowerCase()
  if (isRawName(name)) return 'image'
  if (type === 'image') {
    return isBrowserImage(name) || SERVER_IMAGES.test(extension) ? 'image' : 'none'
  }
  if (type === 'video' || type === 'audio' || type === 'pdf') return type
  if (extension === '.epub') return 'epub'
  if (/^\.(docx|pptx|odt)$/.test(extension)) return 'document'
  if (/^\.(xls[xmb]?|ods)$/.test(extension)) return 'sheets'
  if (extension === '.csv' || extension === '.tsv') return 'table'
  if (type !== 'text' && type !== 'textImmutable') return 'none'
  return extension === '.md' || extension === '.markdown' ? 'markdown' : 'text'
}

/** Whether only the server can decode the picture: TIFF, HEIF and camera raw files. */
export function needsServerPicture(name: string): boolean {
  return isRawName(name) || SERVER_IMAGES.test(extensionOf(name))
}

/** Whether the picture is a vector drawing, which may be enlarged to fill the screen. */
export function isVectorImage(name: string): boolean {
  return extensionOf(name).toLowerCase() === '.svg'
}

/** Whether it depends on the programs of the server, or on the browser, that the picture can be shown. */
export function mayLackDecoder(name: string): boolean {
  return HEIF.test(extensionOf(name))
}

import { extensionOf } from '../../../../src/domain/media/media-type.ts'
import { isRawName } from '../../../../src/domain/media/raw-preview.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
/** How a file is shown; "none" says what it is and offers to save it. */
export type ViewKind = 'image' | 'video' | 'audio' | 'pdf' | 'epub' | 'table' | 'markdown' | 'text' | 'none'

type Shown = Pick<Resource, 'name' | 'type' | 'isDir'>

const DRAWN_BY_BROWSERS = /^\.(png|apng|jpe?g|jfif|gif|webp|avif|svg|bmp|ico)$/i
const DRAWN_BY_THE_SERVER = /^\.tiff?$/i

export function viewKindOf({ name, type }: Shown): ViewKind {
  const extension = extensionOf(name).toLowerCase()
  if (isRawName(name)) return 'image'
  if (type === 'image') {
    return DRAWN_BY_BROWSERS.test(extension) || DRAWN_BY_THE_SERVER.test(extension) ? 'image' : 'none'
  }
  if (type === 'video' || type === 'audio' || type === 'pdf') return type
  if (extension === '.epub') return 'epub'
  if (extension === '.csv' || extension === '.tsv') return 'table'
  if (type !== 'text' && type !== 'textImmutable') return 'none'
  return extension === '.md' || extension === '.markdown' ? 'markdown' : 'text'
}

/** True for a picture that only the server can decode: TIFF, and what cameras call raw. */
export function needsServerPicture(name: string): boolean {
  return isRawName(name) || DRAWN_BY_THE_SERVER.test(extensionOf(name))
}

/** True for a picture without a size of its own, which may fill the screen. */
export function isDrawing(name: string): boolean {
  return extensionOf(name).toLowerCase() === '.svg'
}

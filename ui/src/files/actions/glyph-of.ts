import { nameOf } from '../../../../src/domain/virtual-path.ts'
import type { FileGlyphName } from '../../kit/icon/icon.tsx'
import { kindOfName } from '../../lib/file-kind.ts'
import type { FileItem } from './file-actions.ts'

export function glyphOf({ path, isDir, type }: Pick<FileItem, 'path' | 'isDir' | 'type'>): FileGlyphName {
  if (type === 'invalid_link') return 'broken'
  return isDir ? 'folder' : (kindOfName(nameOf(path)) ?? 'other')
}

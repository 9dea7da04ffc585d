import type { Resource } from '../../../../../src/domain/resource.ts'
import { kindOfName, type FileKind } from '../../../lib/file-kind.ts'

/** Which glyph stands for an entry. The server's type decides; the extension says more about texts and blobs. */
export function kindOf(entry: Pick<Resource, 'name' | 'isDir' | 'type'>): FileKind {
  if (entry.isDir) return 'folder'
  if (entry.type === 'invalid_link') return 'broken'
  if (entry.type === 'image' || entry.type === 'video' || entry.type === 'audio' || entry.type === 'pdf')
    return entry.type
  return kindOfName(entry.name) ?? (entry.type === 'text' || entry.type === 'textImmutable' ? 'text' : 'other')
}

import { createHash } from 'node:crypto'
import type { User } from '../../domain/user.ts'
import type { VirtualPath } from '../../domain/virtual-path.ts'
import type { CacheKey } from '../../platform/byte-cache.ts'
import type { OpenFile } from '../../storage/storage.ts'
import { placeIn } from '../shares/share-records.ts'
import type { PreviewVariant } from './preview-variant.ts'

/** All previews of a file, whoever asks for them. @param path as the owner of the scope sees it */
export function previewGroup(user: User, path: VirtualPath): string {
  return digest(placeIn(user.scope, path))
}

/**
 * Where a preview is kept. A picture that takes the place of another one has another inode, size or time, even when somebody sets
 * the time back: an old preview is never shown for it.
 */
export function previewKey(group: string, file: OpenFile, variant: PreviewVariant): CacheKey {
  const { size, modified, inode } = file
  return { group, name: digest(`${size} ${modified} ${inode} ${JSON.stringify(variant.task)}`) }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}

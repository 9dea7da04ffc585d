import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { FileItem } from '../actions/file-actions.ts'
import type { FoundEntry } from './search-run.ts'

/** What was found, as everything that is done with files takes it. */
export function toFileItem({ path, isDir, details }: FoundEntry): FileItem {
  const { size = 0, modified = '', type = '' } = details ?? {}
  return { path: path as VirtualPath, isDir, size, modified, type }
}

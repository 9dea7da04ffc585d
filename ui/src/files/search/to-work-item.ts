import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { WorkItem } from '../actions/work.ts'
import type { FoundEntry } from './search-run.ts'

/** What was found, as everything that is done with files takes it. */
export function toWorkItem({ path, isDir, details }: FoundEntry): WorkItem {
  const { size = 0, modified = '', type = '' } = details ?? {}
  return { path: path as VirtualPath, isDir, size, modified, type }
}

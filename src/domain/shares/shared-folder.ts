import { childOf, isInside, segmentsOf, tryParseVirtualPath, type VirtualPath } from '../files/virtual-path.ts'

/** The folder in which recipients find what was shared with them. No user has a file of this name, since storages reserve it. */
export const SHARED_FOLDER = '/.filemgr-shared' as VirtualPath

/** Whether a path of a request leads into the folder of what was shared, or is that folder. */
export function isSharedPath(text: string): boolean {
  // Nearly all paths are decided by this.
  if (!text.includes(SHARED_FOLDER.slice(1))) return false
  const path = tryParseVirtualPath(text)
  return path !== undefined && isInside(SHARED_FOLDER, path)
}

/** Where a grant is among the files of a recipient. */
export function shownPathOf(name: string): VirtualPath {
  return childOf(SHARED_FOLDER, name)
}

/** The name of the grant that a path leads into; undefined for the folder of all. */
export function sharedNameOf(path: VirtualPath): string | undefined {
  return segmentsOf(path)[1]
}

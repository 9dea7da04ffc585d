import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import type { UploadEntry } from '../upload-entry.ts'
import type { UploadItem } from '../upload-item.ts'

export interface Match {
  readonly id: number
  readonly file: File
  readonly entry: UploadEntry
}

/** The same file by all that a browser tells of it without reading: size and time of change. */
export function isSameFile({ size, modified }: Pick<UploadItem, 'size' | 'modified'>, file: File): boolean {
  return file.size === size && file.lastModified === modified
}

/**
 * Finds the files that missing uploads wait for among those that were picked.
 *
 * @param target where they were brought to; without it they were picked for the missing ones, and the name alone counts
 */
export function matchFiles(
  items: readonly UploadItem[],
  entries: readonly UploadEntry[],
  target?: VirtualPath,
): readonly Match[] {
  const byPlace = new Map<string, UploadItem[]>()
  for (const item of items) {
    if (item.state !== 'missing' || (target !== undefined && item.target !== target)) continue
    const place = target === undefined ? lastOf(item.source) : item.source
    byPlace.set(place, [...(byPlace.get(place) ?? []), item])
  }
  return entries.flatMap((entry) => {
    const { file, path } = entry
    if (file === null) return []
    const waiting = byPlace.get(target === undefined ? lastOf(path) : path) ?? []
    const index = waiting.findIndex(
      (item) => isSameFile(item, file) && (path === item.source || !hasExact(waiting, entry)),
    )
    const [item] = index === -1 ? [] : waiting.splice(index, 1)
    return item === undefined ? [] : [{ id: item.id, file, entry }]
  })
}

/** Two folders may hold files of one name: each goes to its own. */
function hasExact(waiting: readonly UploadItem[], { path, file }: UploadEntry): boolean {
  return waiting.some((item) => item.source === path && file !== null && isSameFile(item, file))
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

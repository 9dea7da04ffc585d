import type { Resource } from '../../../../src/domain/files/resource.ts'
import { viewKindOf } from './view-kind.ts'

interface Neighbours {
  readonly previous: Resource | null
  readonly next: Resource | null
  /** From 1; 0 for a file that cannot be shown. */
  readonly position: number
  readonly total: number
}

/** The files of a folder that can be shown, in the order of its list. */
function viewableOf(entries: readonly Resource[]): Resource[] {
  return entries.filter((entry) => !entry.isDir && entry.type !== 'invalid_link' && viewKindOf(entry) !== 'none')
}

/** The viewable files before and after a file, which itself may not be viewable. */
export function neighboursOf(entries: readonly Resource[], name: string): Neighbours {
  const viewable = viewableOf(entries)
  const index = viewable.findIndex((entry) => entry.name === name)
  if (index !== -1) {
    const previous = viewable[index - 1] ?? null
    return { previous, next: viewable[index + 1] ?? null, position: index + 1, total: viewable.length }
  }
  const listIndex = entries.findIndex((entry) => entry.name === name)
  if (listIndex === -1) return { previous: null, next: null, position: 0, total: viewable.length }
  const before = viewableOf(entries.slice(0, listIndex))
  return { previous: before.at(-1) ?? null, next: viewable[before.length] ?? null, position: 0, total: viewable.length }
}

/** The file to show once the current one is gone: the next remaining, else the previous; null closes the viewer. */
export function successorOf(before: readonly Resource[], now: readonly Resource[], name: string): Resource | null {
  const remaining = new Set(now.map((entry) => entry.name))
  const index = before.findIndex((entry) => entry.name === name)
  const after = viewableOf(before.slice(index + 1)).find((entry) => remaining.has(entry.name))
  return after ?? viewableOf(before.slice(0, Math.max(0, index))).findLast((entry) => remaining.has(entry.name)) ?? null
}

import type { Resource } from '../../../../src/domain/resource.ts'
import { viewKindOf } from './view-kind.ts'

export interface Neighbours {
  readonly previous: Resource | null
  readonly next: Resource | null
  /** From one; 0 for a file that is not among those that can be shown. */
  readonly position: number
  readonly total: number
}

/** Everything of a folder that can be shown, in the order of the folder. */
function viewableOf(entries: readonly Resource[]): Resource[] {
  return entries.filter((entry) => !entry.isDir && entry.type !== 'invalid_link' && viewKindOf(entry) !== 'none')
}

/** What comes before and after a file. One that cannot be shown keeps its place between those that can. */
export function neighboursOf(entries: readonly Resource[], name: string): Neighbours {
  const viewable = viewableOf(entries)
  const index = viewable.findIndex((entry) => entry.name === name)
  if (index !== -1) {
    const previous = viewable[index - 1] ?? null
    return { previous, next: viewable[index + 1] ?? null, position: index + 1, total: viewable.length }
  }
  const place = entries.findIndex((entry) => entry.name === name)
  if (place === -1) return { previous: null, next: null, position: 0, total: viewable.length }
  const before = viewableOf(entries.slice(0, place))
  return { previous: before.at(-1) ?? null, next: viewable[before.length] ?? null, position: 0, total: viewable.length }
}

/** Where to go when the file shown has gone: to what came after it, else before it; null ends the viewing. */
export function successorOf(before: readonly Resource[], now: readonly Resource[], name: string): Resource | null {
  const left = new Set(now.map((entry) => entry.name))
  const place = before.findIndex((entry) => entry.name === name)
  const after = viewableOf(before.slice(place + 1)).find((entry) => left.has(entry.name))
  return after ?? viewableOf(before.slice(0, Math.max(0, place))).findLast((entry) => left.has(entry.name)) ?? null
}

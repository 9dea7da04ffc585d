import { type UploadEntry, topOf } from './upload-entry.ts'
import { getRecursive, getResource } from '../../../../../src/api/files/files.ts'
import { type VirtualPath, childOf } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'

export interface Existing {
  readonly isDir: boolean
  readonly size: number
  readonly modified: string
}

/** Existing entries at the target, by path below the target folder. */
export type ExistingByPath = ReadonlyMap<string, Existing>

export interface Conflict {
  readonly entry: UploadEntry
  readonly existing: Existing
  /** A file cannot take the place of a folder, nor a folder that of a file. */
  readonly replaceable: boolean
}

export type Choice = 'keepBoth' | 'replace' | 'skip'
export type ChoiceOf = (conflict: Conflict) => Choice

export interface PlannedUpload {
  readonly entry: UploadEntry
  /** Path below the target folder; differs from the entry's path after "keep both". */
  readonly path: string
  readonly override: boolean
}

/**
 * Entries whose name is taken, one for each name. Folders merge, so only the files in them can conflict. Several files with one
 * name conflict as one: the answer is for all of them.
 */
export function findConflicts(entries: readonly UploadEntry[], existing: ExistingByPath): Conflict[] {
  const conflicts = new Map<string, Conflict>()
  for (const entry of entries) {
    const found = existing.get(entry.path)
    if (found === undefined || (entry.file === null && found.isDir) || conflicts.has(entry.path)) continue
    conflicts.set(entry.path, { entry, existing: found, replaceable: entry.file !== null && !found.isDir })
  }
  return [...conflicts.values()]
}

/** Top-level folders that already exist at the target. Only their contents need to be looked up. */
export function foldersToLookInto(entries: readonly UploadEntry[], existing: ExistingByPath): string[] {
  const tops = new Set(entries.filter((entry) => entry.path.includes('/')).map(topOf))
  return [...tops].filter((top) => existing.get(top)?.isDir === true)
}

/**
 * The uploads after the user has resolved conflicts. The content of a skipped folder is skipped; that of a renamed one
 * moves along. Of several entries with one name, such as the photos "image.jpg" of a phone, the later ones are numbered.
 *
 * @param choose called for each conflict
 * @param underWay paths of files that earlier uploads are about to create
 */
export function planUploads(
  entries: readonly UploadEntry[],
  existing: ExistingByPath,
  choose: (conflict: Conflict) => Choice,
  underWay: readonly string[] = [],
): PlannedUpload[] {
  const conflicts = new Map(findConflicts(entries, existing).map((conflict) => [conflict.entry.path, conflict]))
  const taken = new Set([...existing.keys(), ...underWay, ...entries.map((entry) => entry.path)])
  const moved = new Map<string, string | null>()
  for (const conflict of conflicts.values()) {
    const choice = choose(conflict)
    if (choice === 'skip') moved.set(conflict.entry.path, null)
    if (choice === 'keepBoth' || (choice === 'replace' && !conflict.replaceable)) {
      const free = freePath(conflict.entry.path, taken)
      taken.add(free)
      moved.set(conflict.entry.path, free)
    }
  }
  const used = new Set(underWay)
  return entries.flatMap((entry) => {
    const relocated = relocate(entry.path, moved)
    if (relocated === null) return []
    const path =
      entry.file !== null && used.has(relocated) ? freePath(inMovedFolder(entry.path, moved), taken) : relocated
    used.add(path)
    taken.add(path)
    return [{ entry, path, override: path === entry.path && conflicts.has(entry.path) }]
  })
}

/** The path with the name that the entry has, in a folder that may have another one. */
function inMovedFolder(path: string, moved: ReadonlyMap<string, string | null>): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? path : `${relocate(path.slice(0, end), moved) ?? ''}${path.slice(end)}`
}

/** Applies renaming or skipping to a path, by the path itself or a folder above it. */
function relocate(path: string, moved: ReadonlyMap<string, string | null>): string | null {
  if (moved.size === 0) return path
  for (let end = path.length; end !== -1; end = path.lastIndexOf('/', end - 1)) {
    const target = moved.get(path.slice(0, end))
    if (target === null) return null
    if (target !== undefined) return target + path.slice(end)
    if (end === 0) break
  }
  return path
}

/** "a(1).txt" for "a.txt", or the next free number, as the server names copies. */
export function freePath(path: string, taken: ReadonlySet<string>): string {
  const nameStart = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  const stemEnd = dot > nameStart ? dot : path.length
  for (let number = 1; ; number += 1) {
    const candidate = `${path.slice(0, stemEnd)}(${number})${path.slice(stemEnd)}`
    if (!taken.has(candidate)) return candidate
  }
}

/** Existing entries at the target, and everything below those folders that an upload merges into. */
export async function findExisting(
  client: Client,
  target: VirtualPath,
  entries: readonly UploadEntry[],
): Promise<ReadonlyMap<string, Existing>> {
  const found = new Map<string, Existing>()
  const listing = await client.call(getResource, { params: { '*': target } }).catch(nothingWhenMissing)
  if (listing === null || !('items' in listing)) return found
  for (const entry of listing.items) found.set(entry.name, entry)
  for (const folder of foldersToLookInto(entries, found)) {
    const root = childOf(target, folder)
    for (const entry of await client.call(getRecursive, { params: { '*': root } })) {
      found.set(entry.path.slice(root.length - folder.length), entry)
    }
  }
  return found
}

/** The target folder may not exist yet. */
function nothingWhenMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

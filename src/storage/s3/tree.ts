import { fail, isFilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import { typeByName } from '../../domain/files/media/media-type.ts'
import type { Amount } from '../../domain/access/quota.ts'
import type { FlatResource } from '../../domain/files/resource.ts'
import { compileSearchQuery, type SearchHit } from '../../domain/files/search-query.ts'
import { below, nameOf, parentOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { createTimeFormat } from '../../domain/files/file-time.ts'
import { isReservedName, isStagedName, TRASH, TRASH_CONTENT } from '../reserved-names.ts'
import type { SearchView } from '../storage.ts'
import { type BucketRoot, find, folderKey, isName, isShownIn, keyOf, lookUp, withoutRules } from './bucket-root.ts'
import { readFolder } from './read-folder.ts'
import type { ListedObject } from './stored-object.ts'

/** A file or folder in a tree. */
interface TreeEntry {
  /** Relative to the top, without slashes at its ends. */
  readonly path: string
  /** Undefined for a folder. */
  readonly object: ListedObject | undefined
  /** When the object was stored; for a folder, the first object in it. Nanoseconds since 1970. */
  readonly stored: bigint
}

/**
 * Everything under a prefix, in the order of the keys. Folders come before their content, whether or not they have a marker.
 * Skips keys that are not paths, and reserved names.
 */
export async function* treeEntries(
  root: BucketRoot,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly TreeEntry[], void, void> {
  let folders: readonly string[] = []
  for await (const { objects } of root.bucket.pages(prefix, { signal })) {
    const entries: TreeEntry[] = []
    for (const object of objects) {
      const names = object.key.slice(prefix.length).split('/')
      const isMarker = names.at(-1) === ''
      const around = names.slice(0, -1)
      const own = isMarker ? [] : names.slice(-1)
      if (![...around, ...own].every((name) => isName(name) && !isReservedName(name))) continue
      const shared = around.findIndex((name, depth) => name !== folders[depth])
      for (let depth = shared < 0 ? around.length : shared; depth < around.length; depth += 1)
        entries.push({ path: around.slice(0, depth + 1).join('/'), object: undefined, stored: object.stored })
      folders = around
      if (!isMarker) entries.push({ path: names.join('/'), object, stored: object.stored })
    }
    yield entries
  }
}

/** Entries that wait for their turn. If there are more, they come in the order of the keys. */
const MAX_WAITING = 50_000

interface Placed<T> {
  readonly item: T
  /** Sort key of a walk: a folder's content comes directly after it, before "folder.txt". */
  readonly order: string
  /** Once the keys have reached this one, no further key belongs before the item. */
  readonly until: string
}

/**
 * Sorts the entries of a tree depth first, by the bytes of the names. Keys are in another order, because a slash sorts after some
 * characters: "a.txt" comes before "a/b". An entry waits only while a folder that belongs before it may still follow.
 */
class DepthFirst<T> {
  #waiting: Placed<T>[] = []

  add(path: string, item: T): void {
    const bytes = Buffer.from(path).toString('latin1')
    this.#waiting.push({ item, order: bytes.replaceAll('/', '\0'), until: endOfEarlier(bytes) })
  }

  /** The items whose turn has come when the keys up to this path have been added; all remaining ones if it is undefined. */
  take(path: string | undefined): T[] {
    if (this.#waiting.length === 0) return []
    const reached = path === undefined ? undefined : Buffer.from(path).toString('latin1')
    this.#waiting.sort((one, other) => (one.order < other.order ? -1 : 1))
    const isDue = ({ until }: Placed<T>) => reached === undefined || until <= reached
    const isFull = this.#waiting.length > MAX_WAITING
    const end = isFull ? -1 : this.#waiting.findIndex((placed) => !isDue(placed))
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end).map(({ item }) => item)
  }
}

const SLASH = '/'.charCodeAt(0)
const AFTER_SLASH = '0'

/**
 * The end of the keys that sort after a path but belong before it in a walk: those of a folder whose name is the beginning of one
 * of the path's names.
 */
function endOfEarlier(bytes: string): string {
  for (let index = 1; index < bytes.length; index += 1) {
    const isInName = bytes[index - 1] !== '/'
    if (isInName && bytes.charCodeAt(index) < SLASH) return bytes.slice(0, index) + AFTER_SLASH
  }
  return ''
}

/** An entry that the user can see, with its path in the scope. */
export interface ShownEntry extends TreeEntry {
  readonly own: VirtualPath
}

/** Everything in a folder that the user can see, in the order of the keys. */
export async function* shownEntries(
  root: BucketRoot,
  path: VirtualPath,
  visibility: Visibility,
  signal?: AbortSignal,
): AsyncGenerator<readonly ShownEntry[], void, void> {
  const { kind, key } = await find(root, path)
  if (kind === 'file') fail('INVALID_INPUT', 'path is not a directory')
  const isShown = isShownIn(visibility)
  let hidden: string | undefined
  for await (const entries of treeEntries(root, folderKey(root, key), signal)) {
    const shown: ShownEntry[] = []
    for (const entry of entries) {
      if (hidden !== undefined && entry.path.startsWith(hidden)) continue
      const own = below(path, `/${entry.path}` as VirtualPath)
      if (isShown(parentOf(own), nameOf(own))) shown.push({ ...entry, own })
      else if (entry.object === undefined) hidden = `${entry.path}/`
    }
    yield shown
  }
}

/** Everything in a folder that the user can see, depth first. The times are those at which the objects were stored. */
export async function* walkTree(
  root: BucketRoot,
  path: VirtualPath,
  visibility: Visibility,
  signal?: AbortSignal,
): AsyncGenerator<readonly FlatResource[], void, void> {
  const timeOf = createTimeFormat()
  const inOrder = new DepthFirst<FlatResource>()
  for await (const entries of shownEntries(root, path, visibility, signal)) {
    for (const { path: relative, own, object, stored } of entries) {
      const facts = { size: object?.size ?? 0, modified: timeOf(stored), isDir: object === undefined }
      inOrder.add(relative, { path: own, name: nameOf(own), ...facts })
    }
    const batch = inOrder.take(entries.at(-1)?.path ?? '')
    if (batch.length > 0) yield batch
  }
  const rest = inOrder.take(undefined)
  if (rest.length > 0) yield rest
}

/** The entries directly in a folder that the user can see. Folders have no time, because each would need a request. */
export async function* flatEntries(
  root: BucketRoot,
  path: VirtualPath,
  visibility: Visibility,
  signal?: AbortSignal,
): AsyncGenerator<readonly FlatResource[], void, void> {
  if ((await find(root, path)).kind === 'file') fail('INVALID_INPUT', 'path is not a directory')
  const timeOf = createTimeFormat()
  const entries = (await readFolder(root, path, visibility, signal)).map(({ name, object }): FlatResource => {
    const facts = {
      size: object?.size ?? 0,
      modified: object ? timeOf(object.stored) : '',
      isDir: object === undefined,
    }
    return { path: below(path, `/${name}` as VirtualPath), name, ...facts }
  })
  if (entries.length > 0) yield entries
}

/**
 * Size and number of all files and folders beneath a path, including what is in the trash. A folder counts once, with or without a
 * marker.
 */
export async function measureTree(root: BucketRoot, path: VirtualPath, signal?: AbortSignal): Promise<Amount> {
  const found = await find(root, path)
  if (found.kind === 'file') return { bytes: found.object.size, files: 1 }
  const prefix = folderKey(root, found.key)
  let [bytes, files] = [0, 0]
  let folders: readonly string[] = []
  for await (const { objects } of root.bucket.pages(prefix, { signal })) {
    for (const { key, size } of objects) {
      const names = key.slice(prefix.length).split('/')
      if (names.some(isStagedName) || isRecord(names)) continue
      const around = names.slice(0, -1)
      files += newFolders(around, folders)
      folders = around
      if (names.at(-1) === '') continue
      bytes += size
      files += 1
    }
  }
  return { bytes, files }
}

/** How many of these folders are not among those of the key before, without those that the trash consists of. */
function newFolders(around: readonly string[], before: readonly string[]): number {
  const shared = around.findIndex((name, depth) => name !== before[depth])
  if (shared < 0) return 0
  const fresh = around.slice(shared).filter((name, index) => {
    const trash = around.lastIndexOf(TRASH, shared + index)
    return isName(name) && (trash < 0 || shared + index - trash > IN_TRASH)
  })
  return fresh.length
}

/** The levels from the trash to the folder around a deleted entry. */
const IN_TRASH = 2

/** True for the record of an entry in the trash, beside the content. */
function isRecord(names: readonly string[]): boolean {
  return names.at(-4) === TRASH && names.at(-1) !== TRASH_CONTENT
}

/** Searches invisible folders too, because rules may allow entries in them: each hit is checked by itself. */
export async function* searchTree(
  root: BucketRoot,
  path: VirtualPath,
  view: SearchView,
  signal?: AbortSignal,
): AsyncGenerator<readonly SearchHit[], void, void> {
  throwIfCancelled(signal)
  const key = await searchedKey(root, path)
  if (key === undefined) return
  yield []
  const fits = compileSearchQuery(view.query)
  const isShown = isShownIn(view)
  const timeOf = createTimeFormat()
  const inOrder = new DepthFirst<SearchHit>()
  for await (const entries of treeEntries(root, folderKey(root, key), signal)) {
    for (const entry of entries) {
      const own = below(path, `/${entry.path}` as VirtualPath)
      const name = nameOf(own)
      if (!fits(name) || !isShown(parentOf(own), name)) continue
      const { object, stored } = entry
      const hit = { dir: object === undefined, path: entry.path }
      const size = object?.size ?? 0
      const details = {
        size,
        modified: timeOf(stored),
        type: object === undefined ? '' : typeByName(name, size),
      } as const
      inOrder.add(entry.path, view.details === true ? { ...hit, details } : hit)
    }
    const hits = inOrder.take(entries.at(-1)?.path ?? '')
    if (hits.length > 0) yield hits
  }
  const rest = inOrder.take(undefined)
  if (rest.length > 0) yield rest
}

/** Undefined if there is no such folder. Ignores rules, because they may allow entries in a denied folder. */
async function searchedKey(root: BucketRoot, path: VirtualPath): Promise<string | undefined> {
  try {
    const found = await lookUp(root, keyOf(withoutRules(root), path))
    return found?.kind === 'folder' ? found.key : undefined
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND', 'INVALID_INPUT')) return undefined
    throw error
  }
}

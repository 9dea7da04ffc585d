import type { FlatResource, NotableFiles } from '../../../domain/files/resource.ts'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'

/** Files in each list. */
const MAX_FILES = 100
/** Folders whose lists are remembered; with paths of usual length, they take some MiB together. */
const MAX_FOLDERS = 64

/** The files of a walk that come first in an order, as many as a list holds. Keeps at most twice as many. */
class Foremost {
  readonly #rank: (file: FlatResource) => number
  #kept: { readonly file: FlatResource; readonly rank: number }[] = []
  #worst = Infinity

  /** @param rank the lowest come first */
  constructor(rank: (file: FlatResource) => number) {
    this.#rank = rank
  }

  add(file: FlatResource): void {
    const rank = this.#rank(file)
    if (!(rank < this.#worst)) return
    this.#kept.push({ file, rank })
    if (this.#kept.length === 2 * MAX_FILES) this.#cut()
  }

  list(): FlatResource[] {
    this.#cut()
    return this.#kept.map(({ file }) => file)
  }

  #cut(): void {
    this.#kept.sort((one, other) => one.rank - other.rank)
    this.#kept.length = Math.min(this.#kept.length, MAX_FILES)
    if (this.#kept.length === MAX_FILES) this.#worst = this.#kept.at(-1)?.rank ?? Infinity
  }
}

/** Picks the largest and the oldest files while a folder is walked. */
export class NotablePick {
  readonly #largest = new Foremost(({ size }) => -size)
  readonly #oldest = new Foremost(({ modified }) => Date.parse(modified))

  add(file: FlatResource): void {
    this.#largest.add(file)
    this.#oldest.add(file)
  }

  lists(): Pick<NotableFiles, 'largest' | 'oldest'> {
    return { largest: this.#largest.list(), oldest: this.#oldest.list() }
  }
}

/** The lists of several folders as one; undefined for none. */
export function notableOfAll(all: readonly NotableFiles[]): NotableFiles | undefined {
  const [first, ...others] = all
  if (first === undefined || others.length === 0) return first
  const largest = new Foremost(({ size }) => -size)
  const oldest = new Foremost(({ modified }) => Date.parse(modified))
  const total = { bytes: 0, files: 0, folders: 0 }
  for (const each of all) {
    for (const file of each.largest) largest.add(file)
    for (const file of each.oldest) oldest.add(file)
    total.bytes += each.total.bytes
    total.files += each.total.files
    total.folders += each.total.folders
  }
  const counted = all.reduce((earliest, each) => (each.counted < earliest ? each.counted : earliest), first.counted)
  return { total, own: { bytes: 0, files: 0 }, largest: largest.list(), oldest: oldest.list(), counted }
}

interface Kept {
  readonly scope: VirtualPath
  readonly lists: Pick<NotableFiles, 'largest' | 'oldest'>
  /** When the walk ended, in milliseconds since 1970, and how long it took. */
  readonly read: number
  readonly took: number
  readonly changed: boolean
}

/** Remembers the lists of the folders for which somebody asked last, for each view. */
export class NotableCache {
  /** By view and storage path, least recently used first. */
  readonly #folders = new Map<string, Kept>()

  get(view: string, path: VirtualPath): Kept | undefined {
    const kept = this.#folders.get(view + path)
    if (kept !== undefined) this.#put(view + path, kept)
    return kept
  }

  /** @param path a storage path. The paths in the lists begin at `scope`. */
  set(view: string, path: VirtualPath, kept: Omit<Kept, 'changed'>): void {
    this.#put(view + path, { ...kept, changed: false })
    const [oldest] = this.#folders.keys()
    if (this.#folders.size > MAX_FOLDERS && oldest !== undefined) this.#folders.delete(oldest)
  }

  /** Something changed at this storage path: what was listed there is gone, or not what it was. */
  forget(path: VirtualPath): void {
    for (const key of this.#folders.keys()) {
      const folder = folderOf(key)
      if (folder === path || folder.startsWith(`${path}/`)) this.#folders.delete(key)
    }
    const isElsewhere = (scope: VirtualPath) => (file: FlatResource) => {
      const own = below(scope, file.path as VirtualPath)
      return own !== path && !own.startsWith(`${path}/`)
    }
    this.#change(path, ({ scope, lists }) => ({
      largest: lists.largest.filter(isElsewhere(scope)),
      oldest: lists.oldest.filter(isElsewhere(scope)),
    }))
  }

  /** Something changed directly in this folder, a storage path. */
  mark(folder: VirtualPath): void {
    this.#change(folder, ({ lists }) => lists)
  }

  clear(): void {
    this.#folders.clear()
  }

  #change(path: VirtualPath, listsOf: (kept: Kept) => Kept['lists']): void {
    for (const [key, kept] of this.#folders) {
      const folder = folderOf(key)
      const isAround = folder === '/' || path === folder || path.startsWith(`${folder}/`)
      if (isAround) this.#folders.set(key, { ...kept, lists: listsOf(kept), changed: true })
    }
  }

  #put(key: string, kept: Kept): void {
    this.#folders.delete(key)
    this.#folders.set(key, kept)
  }
}

/** A view has no slash in its name. */
function folderOf(key: string): string {
  return key.slice(key.indexOf('/'))
}

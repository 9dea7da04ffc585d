import type { FolderSize } from '../../../domain/files/resource.ts'
import { below, parentOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { NotableCache } from './notable-files.ts'

/** The remembered sizes of a folder. */
export interface SizedFolder {
  /** When its entries last changed, as the folder above lists it; "" if unknown. */
  readonly modified: string
  /** Total size and number of the files directly in it. */
  readonly bytes: number
  readonly files: number
  /** Names of the folders directly in it. */
  readonly folders: readonly string[]
  /** The total of everything beneath. Undefined if it was never counted. */
  readonly total: FolderSize | undefined
  /** Whether the total is outdated: "beneath" if only subfolders have changed, "here" if the folder itself has. */
  readonly changed: 'no' | 'beneath' | 'here'
  /** When everything beneath must be read again, because some changes go unnoticed. Milliseconds since 1970. */
  readonly expires: number
}

/** Estimated bytes of a record and its place in the map. */
const OVERHEAD = 400
/** Estimated bytes of one name, besides its characters. */
const OVERHEAD_OF_NAME = 24

/**
 * Remembers folders by their storage paths, for each view: a scope with rules, which decides what counts. Limited in bytes; drops
 * the least recently used folders.
 */
export class SizeCache {
  readonly notable = new NotableCache()
  readonly #max: number
  /** By view and path, least recently used first. */
  readonly #folders = new Map<string, SizedFolder>()
  /** How many folders each view has. */
  readonly #views = new Map<string, number>()
  #bytes = 0
  #readings = 0
  /** Changes to repeat when reading ends. By a key, so that equal ones are repeated once. */
  readonly #missed = new Map<string, () => void>()

  /** @param max approximate limit in bytes */
  constructor(max: number) {
    this.#max = max
  }

  /** Approximate size. */
  get bytes(): number {
    return this.#bytes
  }

  get(view: string, path: VirtualPath): SizedFolder | undefined {
    const key = view + path
    const found = this.#folders.get(key)
    if (found === undefined) return undefined
    this.#folders.delete(key)
    this.#folders.set(key, found)
    return found
  }

  set(view: string, path: VirtualPath, folder: SizedFolder): void {
    this.#remove(view, path)
    this.#folders.set(view + path, folder)
    this.#views.set(view, (this.#views.get(view) ?? 0) + 1)
    this.#bytes += bytesOf(view + path, folder)
    for (const [oldest] of this.#folders) {
      if (this.#bytes <= this.#max) return
      const start = oldest.indexOf('/')
      this.#remove(oldest.slice(0, start), oldest.slice(start) as VirtualPath)
    }
  }

  /** Something was written, moved or removed at this path, including everything in it. */
  forget(path: VirtualPath): void {
    this.#apply(`forget ${path}`, () => {
      for (const view of this.#views.keys()) this.#forgetTree(view, path)
      this.notable.forget(path)
      this.#mark(parentOf(path))
    })
  }

  /** Something changed directly in this folder. */
  touch(folder: VirtualPath): void {
    this.#apply(`touch ${folder}`, () => this.#mark(folder))
  }

  clear(): void {
    this.#apply('clear', () => {
      this.#folders.clear()
      this.#views.clear()
      this.notable.clear()
      this.#bytes = 0
    })
  }

  /** Reads folders. What changes meanwhile may have been read before its change, so it is marked again afterwards. */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    this.#readings += 1
    try {
      return await read()
    } finally {
      this.#readings -= 1
      for (const repeat of this.#missed.values()) repeat()
      if (this.#readings === 0) this.#missed.clear()
    }
  }

  #apply(key: string, change: () => void): void {
    if (this.#readings > 0) this.#missed.set(key, change)
    if (this.#folders.size > 0) change()
  }

  /** Like `touch`, for a change found by reading. That reading need not repeat it: it reads the new state from now on. */
  mark(folder: VirtualPath): void {
    if (this.#readings > 1) this.#missed.set(`touch ${folder}`, () => this.#mark(folder))
    this.#mark(folder)
  }

  #mark(folder: VirtualPath): void {
    this.notable.mark(folder)
    for (const view of this.#views.keys()) {
      this.#change(view, folder, 'here')
      for (let path = folder; path !== parentOf(path);) this.#change(view, (path = parentOf(path)), 'beneath')
    }
  }

  #change(view: string, path: VirtualPath, changed: 'beneath' | 'here'): void {
    const folder = this.#folders.get(view + path)
    if (folder === undefined || folder.changed === 'here') return
    this.#folders.set(view + path, { ...folder, changed })
  }

  #forgetTree(view: string, path: VirtualPath): void {
    const folder = this.#folders.get(view + path)
    if (folder === undefined) return
    this.#remove(view, path)
    for (const name of folder.folders) this.#forgetTree(view, below(path, `/${name}` as VirtualPath))
  }

  #remove(view: string, path: VirtualPath): void {
    const folder = this.#folders.get(view + path)
    if (folder === undefined) return
    this.#folders.delete(view + path)
    this.#bytes -= bytesOf(view + path, folder)
    const remaining = (this.#views.get(view) ?? 1) - 1
    if (remaining === 0) this.#views.delete(view)
    else this.#views.set(view, remaining)
  }
}

function bytesOf(key: string, { folders }: SizedFolder): number {
  const names = folders.reduce((sum, name) => sum + name.length * 2 + OVERHEAD_OF_NAME, 0)
  return key.length * 2 + names + OVERHEAD
}

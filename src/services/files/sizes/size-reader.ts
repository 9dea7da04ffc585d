import { isFilemgrError, throwIfCancelled } from '../../../domain/errors.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import type { FlatResource, FolderSize, NotableFiles } from '../../../domain/files/resource.ts'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Work } from '../../../storage/storage.ts'
import type { FileAccess } from '../../access/file-access.ts'
import { NotablePick } from './notable-files.ts'
import type { SizeCache, SizedFolder } from './size-cache.ts'

/** Milliseconds after which everything beneath a folder is read again, to find changes that no event reported. */
const LIFETIME = 10 * 60 * 1000
/** A tree is kept for at least this many times as long as it took to read, so that reading stays a small part of the load. */
const LIFETIME_FACTOR = 20

export interface SizeReaderDeps {
  readonly files: Pick<FileAccess, 'scope' | 'user' | 'view'>
  /** Identifies what the user may see, as a key of the cache. */
  readonly view: string
  readonly cache: SizeCache
  readonly now: () => number
}

/** A folder during a walk. */
interface OpenFolder {
  readonly path: VirtualPath
  /** The paths of its entries begin with this. */
  readonly prefix: string
  readonly modified: string
  readonly names: string[]
  bytes: number
  files: number
  readonly beneath: { bytes: number; files: number; folders: number }
}

/** Counts what one user can see in folders, and remembers it. Reads again only what has changed. */
export class SizeReader {
  readonly #deps: SizeReaderDeps
  readonly #scope: VirtualPath

  constructor(deps: SizeReaderDeps) {
    this.#deps = deps
    this.#scope = servedFolderOf(deps.files.user)
  }

  known(path: VirtualPath): SizedFolder | undefined {
    return this.#deps.cache.get(this.#deps.view, below(this.#scope, path))
  }

  /**
   * Reads what is directly in a folder, and compares the times of the folders in it.
   *
   * @throws NOT_FOUND, INVALID_INPUT if it is not a folder
   */
  async own(path: VirtualPath, { signal, advance }: Work = {}): Promise<SizedFolder> {
    const { files, cache, now } = this.#deps
    const inner: FlatResource[] = []
    let [bytes, count] = [0, 0]
    for await (const batch of files.scope.entries(path, files.view('/'), signal)) {
      for (const entry of batch) {
        if (entry.isDir) inner.push(entry)
        else {
          bytes += entry.size
          count += 1
        }
      }
    }
    advance?.(bytes, count)
    const areKnown = inner.map((entry) => this.#compare(entry)).every(Boolean)
    const before = this.known(path)
    const folders = inner.map(({ name }) => name)
    const isSame = before?.bytes === bytes && before.files === count && before.folders.join('/') === folders.join('/')
    if (before?.changed === 'no' && !isSame) cache.mark(below(this.#scope, path))
    const folder: SizedFolder = {
      modified: before?.modified ?? '',
      bytes,
      files: count,
      folders,
      total: before?.total,
      changed: isSame && areKnown && before.changed === 'no' ? 'no' : 'beneath',
      expires: before?.expires ?? now() + LIFETIME,
    }
    this.#keep(path, folder)
    return folder
  }

  /** The total of everything beneath a folder. @throws CANCELLED; what was read until then is remembered */
  async total(path: VirtualPath, work: Work): Promise<FolderSize> {
    const { now } = this.#deps
    throwIfCancelled(work.signal)
    const known = this.known(path)
    if (known === undefined || known.expires <= now()) return await this.#readAll(path, work, known?.modified ?? '')
    if (known.changed === 'no') return known.total ?? NOTHING
    const folder = known.changed === 'here' ? await this.own(path, work) : known
    const sum = { bytes: folder.bytes, files: folder.files, folders: folder.folders.length }
    let expires = Infinity
    for (const name of folder.folders) {
      const inner = below(path, `/${name}` as VirtualPath)
      add(sum, await this.#totalIfThere(inner, work))
      expires = Math.min(expires, this.known(inner)?.expires ?? Infinity)
    }
    if (expires === Infinity) expires = now() + LIFETIME
    this.#keep(path, { ...folder, total: sum, changed: 'no', expires })
    return sum
  }

  /** The largest and oldest files beneath a folder, as far as they are known. */
  notable(path: VirtualPath): NotableFiles | undefined {
    const known = this.known(path)
    const kept = this.#deps.cache.notable.get(this.#deps.view, below(this.#scope, path))
    if (known?.total === undefined || kept === undefined) return undefined
    const { total, bytes, files } = known
    return { total, own: { bytes, files }, ...kept.lists, counted: new Date(kept.read).toISOString() }
  }

  /** Whether they need not be read again. After a change, they wait until reading is a small part of the load. */
  isNotableFresh(path: VirtualPath): boolean {
    const kept = this.#deps.cache.notable.get(this.#deps.view, below(this.#scope, path))
    if (kept === undefined || this.known(path)?.total === undefined) return false
    const lifetime = LIFETIME_FACTOR * kept.took
    return this.#deps.now() < kept.read + (kept.changed ? lifetime : Math.max(LIFETIME, lifetime))
  }

  /** Reads everything beneath a folder, and remembers its sizes and its largest and oldest files. @throws CANCELLED */
  async readNotable(path: VirtualPath, work: Work): Promise<void> {
    const { cache, view, now } = this.#deps
    throwIfCancelled(work.signal)
    const pick = new NotablePick()
    const began = now()
    await this.#readAll(path, work, this.known(path)?.modified ?? '', pick)
    const read = now()
    const kept = { scope: this.#scope, lists: pick.lists(), read, took: read - began }
    cache.notable.set(view, below(this.#scope, path), kept)
  }

  /** @returns whether it was read before, and has not changed since */
  #compare({ path, modified }: FlatResource): boolean {
    const known = this.known(path as VirtualPath)
    const isKnown = known !== undefined && (modified === '' || modified === known.modified)
    if (isKnown) return known.expires > 0
    if (known !== undefined) this.#deps.cache.mark(below(this.#scope, path as VirtualPath))
    this.#keep(path as VirtualPath, { ...UNREAD, ...known, modified, changed: 'here' })
    return false
  }

  /** Zeros for a folder that was removed meanwhile, or that no path can name because it is not UTF-8. */
  async #totalIfThere(path: VirtualPath, work: Work): Promise<FolderSize> {
    try {
      return await this.total(path, work)
    } catch (error) {
      if (!isFilemgrError(error, 'NOT_FOUND', 'FORBIDDEN')) throw error
      const modified = this.known(path)?.modified ?? ''
      this.#keep(path, { ...UNREAD, modified, changed: 'no', expires: this.#deps.now() + LIFETIME })
      return NOTHING
    }
  }

  async #readAll(
    top: VirtualPath,
    { signal, advance }: Work,
    modified: string,
    pick?: NotablePick,
  ): Promise<FolderSize> {
    const { files, now } = this.#deps
    const began = now()
    const first = opened(top, modified)
    const open = [first]
    const closeLast = (): FolderSize => {
      const last = open.pop() ?? first
      const expires = now() + Math.max(LIFETIME, LIFETIME_FACTOR * (now() - began))
      return this.#close(last, open.at(-1), expires)
    }
    for await (const batch of files.scope.walk(top, files.view('/'), signal)) {
      let [bytes, count] = [0, 0]
      for (const entry of batch) {
        while (open.length > 1 && !entry.path.startsWith(open.at(-1)?.prefix ?? '')) closeLast()
        const here = open.at(-1) ?? first
        if (entry.isDir) {
          here.names.push(entry.name)
          open.push(opened(entry.path as VirtualPath, entry.modified))
        } else {
          here.bytes += entry.size
          here.files += 1
          pick?.add(entry)
          bytes += entry.size
          count += 1
        }
      }
      advance?.(bytes, count)
    }
    while (open.length > 1) closeLast()
    return closeLast()
  }

  #close({ path, modified, bytes, files, names, beneath }: OpenFolder, above: OpenFolder | undefined, expires: number) {
    const total = {
      bytes: bytes + beneath.bytes,
      files: files + beneath.files,
      folders: names.length + beneath.folders,
    }
    if (above !== undefined) add(above.beneath, total)
    this.#keep(path, { modified, bytes, files, folders: names, total, changed: 'no', expires })
    return total
  }

  #keep(path: VirtualPath, folder: SizedFolder): void {
    this.#deps.cache.set(this.#deps.view, below(this.#scope, path), folder)
  }
}

const NOTHING: FolderSize = { bytes: 0, files: 0, folders: 0 }

/** A folder that was only seen in a listing, and not read. */
const UNREAD: Omit<SizedFolder, 'modified' | 'changed'> = {
  bytes: 0,
  files: 0,
  folders: [],
  total: undefined,
  expires: 0,
}

function opened(path: VirtualPath, modified: string): OpenFolder {
  const beneath = { bytes: 0, files: 0, folders: 0 }
  return { path, prefix: `${path}/`, modified, names: [], bytes: 0, files: 0, beneath }
}

function add(sum: { bytes: number; files: number; folders: number }, part: FolderSize): void {
  sum.bytes += part.bytes
  sum.files += part.files
  sum.folders += part.folders
}

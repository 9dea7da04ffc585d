import type { FolderListener } from '../../storage.ts'
import type { Permit } from '../../../platform/limits/budget.ts'
import { watchHeld } from '../system/direct-calls.ts'
import { type Handle, at } from '../system/handle.ts'
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { isReservedName } from '../../reserved-names.ts'
import { statsOf } from '../system/disk.ts'
import { readdir } from '../system/gated-calls.ts'

/** Milliseconds between polls for changes that the system does not report. */
const POLL_INTERVAL = 5000

interface FolderWatchesOptions {
  /** How many folders may be watched: each needs a descriptor and a system watch. */
  readonly max: number
  readonly pollInterval?: number
  /** Starts a system watch. */
  readonly start?: StartWatch
}

/** One watch per folder for any number of listeners. Above the maximum, the least recently requested watch ends. */
export class FolderWatches implements Disposable {
  readonly #max: number
  readonly #pollInterval: number
  readonly #start: StartWatch
  /** By identity of the folder, least recently requested first. */
  readonly #folders = new Map<string, WatchedFolder>()
  #timer: NodeJS.Timeout | undefined

  constructor({ max, pollInterval = POLL_INTERVAL, start = watchHeld }: FolderWatchesOptions) {
    this.#max = max
    this.#pollInterval = pollInterval
    this.#start = start
  }

  /**
   * @param id device and inode of the folder, because its path may later lead to another one
   * @param folder kept open while there are listeners
   * @param permit reserves its descriptor
   */
  async add(id: string, folder: Handle, permit: Permit, listener: FolderListener): Promise<Disposable> {
    const known = this.#folders.get(id)
    const watched = known ?? new WatchedFolder(folder.retain(), permit.split(1), this.#start)
    this.#folders.delete(id)
    this.#folders.set(id, watched)
    watched.listeners.add(listener)
    this.#makeRoom()
    this.#timer ??= setInterval(() => void this.poll(), this.#pollInterval).unref()
    await watched.ready
    return {
      [Symbol.dispose]: () => {
        watched.listeners.delete(listener)
        if (watched.listeners.size === 0 && this.#folders.get(id) === watched) this.#end(id, watched)
      },
    }
  }

  /** Polls for changes that the system did not report. A timer calls it too. */
  async poll(): Promise<void> {
    for (const watched of this.#folders.values()) await watched.poll()
  }

  /** Ends all watches, because another folder is served now. */
  loseAll(): void {
    for (const [id, watched] of this.#folders) this.#lose(id, watched)
  }

  [Symbol.dispose](): void {
    for (const [id, watched] of this.#folders) this.#end(id, watched)
  }

  #makeRoom(): void {
    for (const [id, watched] of this.#folders) {
      if (this.#folders.size <= this.#max) return
      this.#lose(id, watched)
    }
  }

  #lose(id: string, watched: WatchedFolder): void {
    this.#end(id, watched)
    for (const listener of watched.listeners) listener.lost()
  }

  #end(id: string, watched: WatchedFolder): void {
    this.#folders.delete(id)
    watched[Symbol.dispose]()
    if (this.#folders.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Starts a system watch that calls `changed` with the name of each changed entry. @throws if the system has no watches left */
type StartWatch = (path: string, changed: (name: string | null) => void, failed: () => void) => Disposable

/** One watched folder. If the system reports no changes, polling finds new, removed and renamed entries. */
class WatchedFolder implements Disposable {
  readonly listeners = new Set<FolderListener>()
  /** Resolves once changes are reported. */
  readonly ready: Promise<void>
  readonly #folder: Handle
  readonly #permit: Permit
  #realPath: string
  #watch: Disposable | undefined
  #mark: FolderMark | undefined
  #hasEnded = false

  constructor(folder: Handle, permit: Permit, start: StartWatch) {
    this.#folder = folder
    this.#permit = permit
    this.#realPath = this.#realPathOrEmpty()
    const path = String(at(folder))
    try {
      this.#watch = start(
        path,
        (name) => this.#changed(name, basename(path)),
        () => this.#unwatch(),
      )
    } catch {
      // ENOSPC or EMFILE: the system has no watches left. Polling takes over, as for network file systems, which report nothing.
    }
    this.ready = this.#watch === undefined ? this.#compare() : Promise.resolve()
  }

  /** Detects what a system watch does not report: that the folder or one of its parents was moved or removed. */
  async poll(): Promise<void> {
    if (this.#hasEnded) return
    const realPath = this.#realPathOrEmpty()
    const hasMoved = realPath !== this.#realPath
    this.#realPath = realPath
    if (hasMoved) this.#notify(undefined)
    else if (this.#watch === undefined) await this.#compare()
  }

  [Symbol.dispose](): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#unwatch()
    this.#folder[Symbol.dispose]()
    this.#permit[Symbol.dispose]()
  }

  #changed(name: string | null, ownName: string): void {
    // Events about the folder itself carry the name by which it is watched.
    if (name === null || name === ownName) return this.#notify(undefined)
    // Staged files and the trash are not reported.
    if (!isReservedName(name)) this.#notify(name)
  }

  #notify(name: string | undefined): void {
    if (this.#hasEnded) return
    for (const listener of [...this.listeners]) listener.changed(name)
  }

  async #compare(): Promise<void> {
    const before = this.#mark
    // A folder that cannot be read now is tried again at the next poll.
    const mark = await markOf(this.#folder, before).catch(() => before)
    this.#mark = mark
    if (before !== undefined && before.names !== mark?.names) this.#notify(undefined)
  }

  /** Empty if unknown: moving a parent folder can make its path too long for the system. */
  #realPathOrEmpty(): string {
    try {
      return this.#folder.realPath
    } catch {
      return ''
    }
  }

  #unwatch(): void {
    this.#watch?.[Symbol.dispose]()
    this.#watch = undefined
  }
}

interface FolderMark {
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Hash of the names, without reserved ones. */
  readonly names: string
}

/** Reads the names only if the mtime has changed since `before`. The mtime alone is not enough: staged files change it too. */
async function markOf(folder: Handle, before: FolderMark | undefined): Promise<FolderMark> {
  using held = folder.retain()
  const { mtimeNs: modified } = await statsOf(held)
  if (modified === before?.modified) return before
  const hash = createHash('sha256')
  const names = await readdir(at(held)).catch(() => [])
  for (const name of names.toSorted()) if (!isReservedName(name)) hash.update(`${name}/`)
  return { modified, names: hash.digest('base64') }
}

import type { FolderListener } from '../../storage.ts'
import type { Lease } from '../scope/run-operation.ts'
import { watchHeld } from '../system/direct-calls.ts'
import type { Handle } from '../system/handle.ts'
import { WatchedFolder, type StartWatch } from './watched-folder.ts'

/** How often folders are polled for changes that the system does not report, in milliseconds. */
const LOOK_EVERY = 5000

interface FolderWatchesOptions {
  /** Folders watched at once: each costs a descriptor and one of the system's watches. */
  readonly most: number
  readonly lookEvery?: number
  /** Starts a watch of the system. */
  readonly start?: StartWatch
}

/** One watch for each folder, however many listen. The folder that was asked for longest ago makes room for a new one. */
export class FolderWatches implements Disposable {
  readonly #most: number
  readonly #lookEvery: number
  readonly #start: StartWatch
  /** By the identity of the folder, the one that was asked for longest ago first. */
  readonly #folders = new Map<string, WatchedFolder>()
  #timer: NodeJS.Timeout | undefined

  constructor({ most, lookEvery = LOOK_EVERY, start = watchHeld }: FolderWatchesOptions) {
    this.#most = most
    this.#lookEvery = lookEvery
    this.#start = start
  }

  /**
   * @param id device and inode of the folder: a link swapped in for its name is not followed
   * @param folder kept open while there are listeners
   * @param lease of its descriptor
   */
  async add(id: string, folder: Handle, lease: Lease, listener: FolderListener): Promise<Disposable> {
    const known = this.#folders.get(id)
    const watched = known ?? new WatchedFolder(folder.retain(), lease.split(1), this.#start)
    this.#folders.delete(id)
    this.#folders.set(id, watched)
    watched.listeners.add(listener)
    this.#makeRoom()
    this.#timer ??= setInterval(() => void this.look(), this.#lookEvery).unref()
    await watched.ready
    return {
      [Symbol.dispose]: () => {
        watched.listeners.delete(listener)
        if (watched.listeners.size === 0 && this.#folders.get(id) === watched) this.#end(id, watched)
      },
    }
  }

  /** Polls for changes that the system did not report. Runs by itself from time to time. */
  async look(): Promise<void> {
    for (const watched of this.#folders.values()) await watched.look()
  }

  /** The watched folders are in a folder that is no longer served. */
  loseAll(): void {
    for (const [id, watched] of this.#folders) this.#lose(id, watched)
  }

  [Symbol.dispose](): void {
    for (const [id, watched] of this.#folders) this.#end(id, watched)
  }

  #makeRoom(): void {
    for (const [id, watched] of this.#folders) {
      if (this.#folders.size <= this.#most) return
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

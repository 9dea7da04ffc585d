import type { FolderListener } from '../../storage.ts'
import type { Permit } from '../../../platform/limits/budget.ts'
import { watchHeld } from '../system/direct-calls.ts'
import type { Handle } from '../system/handle.ts'
import { WatchedFolder, type StartWatch } from './watched-folder.ts'

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

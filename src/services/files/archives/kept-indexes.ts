import type { ArchiveMemory } from '../../../platform/archives/read/archive-memory.ts'
import type { ArchiveIndex } from './archive-index.ts'

/** An index while someone uses it. */
export interface UsedIndex extends Disposable {
  readonly index: ArchiveIndex
}

interface Kept {
  readonly index: ArchiveIndex
  readonly room: Disposable
  users: number
  /** False once it is only kept for those who use it. */
  isKept: boolean
  /** Ends it when nobody has used it for long. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Indexes that are kept so that walking through the folders of an archive reads it once, until others need the memory, or nobody
 * has used them for a while.
 */
export class KeptIndexes implements Disposable {
  readonly #memory: ArchiveMemory
  readonly #idle: number
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>()
  readonly #spare: Disposable

  /** @param idle milliseconds without a user after which an index is forgotten */
  constructor(memory: ArchiveMemory, idle: number) {
    this.#memory = memory
    this.#idle = idle
    this.#spare = memory.useSpare(this)
  }

  use(key: string): UsedIndex | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return this.#used(key, found)
  }

  /** @throws BUSY if there is no room for it */
  async add(key: string, index: ArchiveIndex, signal?: AbortSignal): Promise<UsedIndex> {
    const room = await this.#memory.acquire(index.weight, undefined, signal)
    const kept: Kept = { index, room, users: 0, isKept: true, timer: undefined }
    this.#drop(key)
    this.#kept.set(key, kept)
    return this.#used(key, kept)
  }

  reclaim(bytes: number): void {
    let missing = bytes
    for (const [key, kept] of this.#kept) {
      if (missing <= 0) return
      // One that is in use gives nothing back yet.
      if (kept.users > 0) continue
      this.#drop(key)
      missing -= kept.index.weight
    }
  }

  giveUp(): void {
    for (const key of this.#kept.keys()) this.#drop(key)
  }

  [Symbol.dispose](): void {
    this.#spare[Symbol.dispose]()
    this.giveUp()
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    this.#kept.delete(key)
    clearTimeout(kept.timer)
    kept.isKept = false
    if (kept.users === 0) kept.room[Symbol.dispose]()
  }

  #used(key: string, kept: Kept): UsedIndex {
    clearTimeout(kept.timer)
    kept.users += 1
    let isUsed = true
    return {
      index: kept.index,
      [Symbol.dispose]: () => {
        if (!isUsed) return
        isUsed = false
        kept.users -= 1
        if (kept.users > 0) return
        if (kept.isKept) kept.timer = setTimeout(() => this.#drop(key), this.#idle).unref()
        else kept.room[Symbol.dispose]()
      },
    }
  }
}

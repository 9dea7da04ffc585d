import type { ArchiveMemory } from '../../platform/archives/archive-memory.ts'
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
}

/** Indexes that are kept so that walking through the folders of an archive reads it once, until others need the memory. */
export class KeptIndexes {
  readonly #memory: ArchiveMemory
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>()

  constructor(memory: ArchiveMemory) {
    this.#memory = memory
    memory.useSpare(this)
  }

  use(key: string): UsedIndex | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return this.#used(found)
  }

  /** @throws BUSY if there is no room for it */
  async add(key: string, index: ArchiveIndex, signal?: AbortSignal): Promise<UsedIndex> {
    const kept: Kept = { index, room: await this.#memory.take(index.weight, undefined, signal), users: 0, isKept: true }
    this.#drop(this.#kept.get(key))
    this.#kept.set(key, kept)
    return this.#used(kept)
  }

  reclaim(bytes: number): void {
    let missing = bytes
    for (const [key, kept] of this.#kept) {
      if (missing <= 0) return
      // One that is in use gives nothing back yet.
      if (kept.users > 0) continue
      this.#kept.delete(key)
      this.#drop(kept)
      missing -= kept.index.weight
    }
  }

  #drop(kept: Kept | undefined): void {
    if (kept === undefined) return
    kept.isKept = false
    if (kept.users === 0) kept.room[Symbol.dispose]()
  }

  #used(kept: Kept): UsedIndex {
    kept.users += 1
    let isUsed = true
    return {
      index: kept.index,
      [Symbol.dispose]: () => {
        if (!isUsed) return
        isUsed = false
        kept.users -= 1
        if (kept.users === 0 && !kept.isKept) kept.room[Symbol.dispose]()
      },
    }
  }
}

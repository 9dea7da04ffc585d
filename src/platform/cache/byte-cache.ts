/** Entries of one group are dropped together. Both parts are hexadecimal, with at least 32 digits. */
export interface CacheKey {
  readonly group: string
  readonly name: string
}

export interface CacheSize {
  readonly entries: number
  readonly bytes: number
}

/** Caches bytes that can be computed again, so a missing, damaged or evicted entry is not an error. */
export interface ByteCache {
  get(key: CacheKey): Promise<Uint8Array | undefined>
  /** Atomic: `get` never returns a partly written entry. @throws disk errors */
  put(key: CacheKey, bytes: Uint8Array): Promise<void>
  /** Removes all entries of these groups. */
  drop(groups: ReadonlySet<string>): Promise<void>
  size(): Promise<CacheSize>
  /** @returns the size before */
  clear(): Promise<CacheSize>
}

/** @param id of an entry: its group and its name, joined by "-" */
export function groupOf(id: string): string {
  return id.slice(0, id.indexOf('-'))
}

/** A cache in memory, for `serve --ephemeral`. The least recently used entries are evicted first. @param limit bytes in total */
export function memoryCache(limit: number): ByteCache {
  const entries = new Map<string, Uint8Array>()
  let bytes = 0

  const remove = (id: string): void => {
    bytes -= entries.get(id)?.length ?? 0
    entries.delete(id)
  }

  return {
    async get({ group, name }) {
      const id = `${group}-${name}`
      const found = entries.get(id)
      if (found === undefined) return undefined
      entries.delete(id)
      entries.set(id, found)
      return found
    },

    async put({ group, name }, value) {
      const id = `${group}-${name}`
      remove(id)
      entries.set(id, value)
      bytes += value.length
      for (const oldest of entries.keys()) {
        if (bytes <= limit) break
        remove(oldest)
      }
    },

    async drop(groups) {
      for (const id of entries.keys()) if (groups.has(groupOf(id))) remove(id)
    },

    size: async () => ({ entries: entries.size, bytes }),

    async clear() {
      const before = { entries: entries.size, bytes }
      entries.clear()
      bytes = 0
      return before
    },
  }
}

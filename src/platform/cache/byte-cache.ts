import type { CacheSize } from '../../domain/maintenance.ts'

/** Where something is kept: what belongs together has one group, and goes together. Both are hexadecimal, of 32 digits or more. */
export interface CacheKey {
  readonly group: string
  readonly name: string
}

/** Keeps bytes that can be made again. What is missing, damaged or too much is no error: it is made again. */
export interface ByteCache {
  get(key: CacheKey): Promise<Uint8Array | undefined>
  /** @throws what the disk says; nothing half is ever found */
  put(key: CacheKey, bytes: Uint8Array): Promise<void>
  /** Forgets a group. */
  drop(group: string): Promise<void>
  size(): Promise<CacheSize>
  /** @returns what was there */
  clear(): Promise<CacheSize>
}

/** For a program that leaves nothing behind. Who was asked for least lately goes first. @param limit bytes in all */
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

    async drop(group) {
      for (const id of entries.keys()) if (id.startsWith(`${group}-`)) remove(id)
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

import type { CacheSize } from '../domain/upkeep.ts'
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

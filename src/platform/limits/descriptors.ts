import { readFileSync } from 'node:fs'

/** Where the limit is higher, files need no more. */
const MAX_FOR_FILES = 20_000
/** For threads, child processes, logs and the store. */
const OWN = 40
/** For connections that are only told that there are too many. */
export const FOR_REFUSED = 56

/** How many descriptors this process may open. */
function limit(): number {
  const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
  return Number(found ?? 2 * MAX_FOR_FILES)
}

/** Descriptors for files. */
export function descriptorsForFiles(): number {
  return Math.min(MAX_FOR_FILES, Math.floor((limit() * 3) / 8))
}

/** Connections that can be served: the rest. */
export function maxConnections(): number {
  return Math.max(16, limit() - descriptorsForFiles() - OWN - FOR_REFUSED)
}

import { statSync, type BigIntStats } from 'node:fs'
import type { EntryIdentity } from '../storage.ts'

/** The inode alone would not do: its number is given to the next file as soon as one is deleted. */
export function identityOf({ dev, ino, birthtimeNs }: BigIntStats): EntryIdentity {
  const birth = birthtimeNs > 0n && tellsBirths() ? String(birthtimeNs) : ''
  return { device: String(dev), inode: String(ino), birth }
}

/**
 * Where statx() is forbidden, as in some old containers, Node passes the time of the last change off as that of birth. Files
 * of /proc have no time of birth, so there it shows.
 */
function tellsBirths(): boolean {
  return statSync('/proc/self/stat', { bigint: true }).birthtimeNs === 0n
}

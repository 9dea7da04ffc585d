import type { BigIntStats } from 'node:fs'
import type { EntryIdentity } from '../storage.ts'
import { tellsBirths } from './direct-calls.ts'

/** The inode alone would not do: its number is given to the next file as soon as one is deleted. */
export function identityOf({ dev, ino, birthtimeNs }: BigIntStats): EntryIdentity {
  const birth = birthtimeNs > 0n && tellsBirths() ? String(birthtimeNs) : ''
  return { device: String(dev), inode: String(ino), birth }
}

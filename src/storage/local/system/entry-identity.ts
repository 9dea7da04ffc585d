import type { BigIntStats } from 'node:fs'
import type { EntryIdentity } from '../../../domain/files/entry-identity.ts'
import { reportsBirthTimes } from './direct-calls.ts'

/** Includes the birth time because inode numbers are reused as soon as a file is deleted. */
export function identityOf({ dev, ino, birthtimeNs }: BigIntStats): EntryIdentity {
  const birth = birthtimeNs > 0n && reportsBirthTimes() ? String(birthtimeNs) : ''
  return { device: String(dev), inode: String(ino), birth }
}

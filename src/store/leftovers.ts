import { readdir, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { temporariesOf } from './atomic-file.ts'
import { unlessErrno } from './disk.ts'
import { claimsOf, removeDeadClaim } from './lock-claim.ts'

/** What killed processes may have left beside a file: unfinished writes and claims on its lock. */
export async function findLeftovers(path: string): Promise<string[]> {
  const names = await readdir(dirname(path))
  return [...temporariesOf(path, names), ...claimsOf(`${path}.lock`, names)]
}

/** To be called under the lock: only its holder writes, so every temporary file is a dead one. */
export async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path))
  for (const temporary of temporariesOf(path, names)) await unlessErrno(unlink(temporary), 'ENOENT')
  for (const claim of claimsOf(`${path}.lock`, names)) await removeDeadClaim(claim)
}

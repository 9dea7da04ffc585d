import { readFile, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createPrivate } from './atomic-file.ts'
import { unlessErrno } from './disk.ts'
import { describeThisProcess, isRunning, parseHolder } from './lock-holder.ts'

/** A complete lock file under a name of its own, waiting to be linked to the lock's name. */
export interface Claim {
  readonly path: string
  readonly text: string
  readonly madeAt: number
  /** The file server's idea of `madeAt`: the ages of others' files are measured with its clock, not with ours. */
  readonly servedAt: number
}

/** Writes down who wants a lock, in a file of its own beside it. */
export async function makeClaim(lock: string): Promise<Claim> {
  const me = describeThisProcess()
  const path = `${lock}.${me.pid}-${me.id}`
  const text = JSON.stringify(me)
  return { path, text, servedAt: await writeClaim(path, text), madeAt: performance.now() }
}

/** Returns the time of the file, in milliseconds. */
export async function writeClaim(path: string, text: string): Promise<number> {
  const file = await createPrivate(path)
  try {
    await file.writeFile(text)
    return (await file.stat()).mtimeMs
  } finally {
    await file.close()
  }
}

/** Removes the claim, whether or not it became the lock. */
export async function dropClaim(claim: Claim): Promise<void> {
  await unlessErrno(unlink(claim.path), 'ENOENT')
}

/** How old a file beside the claim is, in milliseconds, given the time of its last change. */
export const ageBeside = (claim: Claim, modified: number): number =>
  claim.servedAt + (performance.now() - claim.madeAt) - modified

/** Of the names in a folder, the claims on a lock. */
export function claimsOf(lock: string, names: readonly string[]): string[] {
  const start = `${basename(lock)}.`
  return names
    .filter((name) => name.startsWith(start) && /^\d+-/.test(name.slice(start.length)))
    .map((name) => join(dirname(lock), name))
}

/** Removes a claim whose process is dead. A living one that is wrongly removed renews its claim. */
export async function removeDeadClaim(path: string): Promise<void> {
  const text = await unlessErrno(readFile(path, 'utf8'), 'ENOENT')
  if (text === undefined) return
  const holder = parseHolder(text) ?? { ...describeThisProcess(), pid: pidOf(path) }
  if (isRunning(holder) === true) return
  await unlessErrno(unlink(path), 'ENOENT')
}

/** The pid in the name stands in for the content of a claim whose maker died before it had written it. */
const pidOf = (path: string) => Number(/\.(\d+)-[^.]*$/.exec(path)?.[1])

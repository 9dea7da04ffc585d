import { link, mkdir, readdir, readFile, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../domain/errors.ts'
import { systemRandom } from '../platform/random.ts'
import { isErrno, unlessErrno } from './disk.ts'
import { ageBeside, claimsOf, dropClaim, makeClaim, writeClaim, type Claim } from './lock-claim.ts'
import { isRunning, parseHolder } from './lock-holder.ts'

/** A lock of another machine that is this old belongs to nobody: it is held for milliseconds. */
const FOREIGN_LOCK_AGE = 30_000
/** A lock file is complete milliseconds after its creation, or its maker died in between. */
const UNREADABLE_LOCK_AGE = 2_000
const GUARD_AGE = 10_000
const LONGEST_PAUSE = 5

export interface HeldLock extends AsyncDisposable {
  /** @throws STORE_BUSY when somebody took the lock away, believing this process dead. */
  confirm(): Promise<void>
}

interface LockOptions {
  /** Milliseconds until the attempt is given up. */
  readonly timeout?: number
}

/**
 * Takes a lock between processes: a file whose name comes into being by link(2), which is atomic, also on NFS, and
 * shows the holder from the first moment. Not for use within one process, where a queue is cheaper and fair.
 *
 * @throws STORE_BUSY naming the holder, when it is not to be had in time
 */
export async function takeFileLock(path: string, { timeout = 10_000 }: LockOptions = {}): Promise<HeldLock> {
  const claim = await makeClaim(path)
  try {
    // A process that saves without a break would otherwise take its own lock again and again, and starve those who wait.
    if (await isAwaited(path, claim)) await sleep(LONGEST_PAUSE)
    for (let pause = 1; !(await tryToTake(path, claim)); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      await breakIfAbandoned(path, claim)
      if (performance.now() - claim.madeAt > timeout) await giveUp(path)
      await sleep(1 + systemRandom.below(pause))
    }
  } finally {
    await dropClaim(claim)
  }
  // Whoever broke the last lock may have been killed within its guard. While the lock is held, no guard protects anything.
  await unlessErrno(rmdir(guardOf(path)), 'ENOENT')
  const mine = await markOf(path)
  return {
    async confirm() {
      if ((await markOf(path)) !== mine) fail('STORE_BUSY', 'The lock was lost; nothing was saved. Try again.')
    },
    async [Symbol.asyncDispose]() {
      if ((await markOf(path)) === mine) await unlink(path)
    },
  }
}

/** Tells the lock file from any that might take its name later. */
async function markOf(path: string): Promise<string | undefined> {
  const found = await unlessErrno(stat(path, { bigint: true }), 'ENOENT')
  return found && `${found.ino} ${found.mtimeNs}`
}

async function isAwaited(path: string, claim: Claim): Promise<boolean> {
  const claims = claimsOf(path, await readdir(dirname(path)))
  return claims.some((other) => other !== claim.path)
}

async function tryToTake(path: string, claim: Claim): Promise<boolean> {
  try {
    await link(claim.path, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    if (isErrno(error, 'ENOENT')) return await renewClaim(claim)
    if (isErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) return await tryToCreate(path, claim)
    throw error
  }
}

/** Somebody who opened the store took the claim for the leaving of a dead process. */
async function renewClaim(claim: Claim): Promise<false> {
  await writeClaim(claim.path, claim.text)
  return false
}

/** For file systems without hard links, such as FAT and some network mounts. */
async function tryToCreate(path: string, claim: Claim): Promise<boolean> {
  try {
    await writeClaim(path, claim.text)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

async function breakIfAbandoned(path: string, claim: Claim): Promise<void> {
  const seen = await read(path)
  if (!seen || !isAbandoned(seen, claim)) return
  // Of several that wait only one may break the lock, or the second would break the lock that the first then took.
  const guard = guardOf(path)
  try {
    await mkdir(guard, 0o700)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    await removeOldGuard(path, claim)
    return
  }
  try {
    if ((await read(path))?.text === seen.text) await unlessErrno(unlink(path), 'ENOENT')
  } finally {
    await unlessErrno(rmdir(guard), 'ENOENT')
  }
}

function isAbandoned(seen: Seen, claim: Claim): boolean {
  const age = ageBeside(claim, seen.modified)
  const holder = parseHolder(seen.text)
  if (!holder) return age > UNREADABLE_LOCK_AGE
  const running = isRunning(holder)
  return running === undefined ? age > FOREIGN_LOCK_AGE : !running
}

const guardOf = (lock: string) => `${lock}.break`

/** The guard itself is left behind when its maker dies within its few microseconds. */
async function removeOldGuard(lock: string, claim: Claim): Promise<void> {
  const found = await unlessErrno(stat(guardOf(lock)), 'ENOENT')
  if (found && ageBeside(claim, found.mtimeMs) > GUARD_AGE) await unlessErrno(rmdir(guardOf(lock)), 'ENOENT')
}

interface Seen {
  readonly text: string
  readonly modified: number
}

async function read(path: string): Promise<Seen | undefined> {
  const [text, found] = await Promise.all([
    unlessErrno(readFile(path, 'utf8'), 'ENOENT'),
    unlessErrno(stat(path), 'ENOENT'),
  ])
  return text === undefined || found === undefined ? undefined : { text, modified: found.mtimeMs }
}

async function giveUp(path: string): Promise<never> {
  const holder = parseHolder((await read(path))?.text ?? '')
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
  return fail('STORE_BUSY', `The store is being changed by ${who}, which does not let go. Try again, or end it.`, {
    retryAfter: 5,
  })
}

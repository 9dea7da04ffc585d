import { setTimeout as pause } from 'node:timers/promises'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { HeldNames, NameLocks } from '../../platform/limits/name-locks.ts'
import type { Bucket } from './bucket.ts'
import type { JustSeen } from './details-cache.ts'

interface Locked {
  readonly bucket: Bucket
  readonly justSeen: JustSeen
  readonly locks: NameLocks
}

/** How often others may be faster before an operation fails. */
const MAX_ATTEMPTS = 4
/** Milliseconds for which a request that was not answered is repeated, in growing steps, if half of an operation would stay. */
const PATIENCE = 10_000
const FIRST_PAUSE = 100

/**
 * Waits until nobody changes the objects with these keys, and keeps others from it: every change of an object that is judged
 * before goes through here. A folder has the name of a file with the same path, so that only one of them comes into being.
 *
 * @throws BUSY, STORE_BUSY as `NameLocks.acquire`
 */
export async function lockKeys({ bucket, locks, justSeen }: Locked, ...keys: string[]): Promise<HeldNames> {
  justSeen.forget()
  // Known before, because nothing may be awaited between a judgement and its effect.
  await bucket.honoured()
  return await locks.acquire(keys.map((key) => nameOf(bucket.name, key)))
}

/**
 * For moving or deleting a folder, which are many changes: of two who did so, each would get a part. Does not lock the files.
 *
 * @throws CONFLICT
 */
export async function claimFolder({ bucket, locks, justSeen }: Locked, key: string): Promise<Disposable> {
  justSeen.forget()
  const claim = await locks.claim(nameOf(bucket.name, key))
  return claim ?? fail('CONFLICT', 'this folder is being moved or deleted already')
}

/** Does work again that others have overtaken, which it reports by PRECONDITION_FAILED. @throws CONFLICT */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isFilemgrError(error, 'PRECONDITION_FAILED')) throw error
      if (attempt === MAX_ATTEMPTS) fail('CONFLICT', 'others write this file at the same moment: try again')
    }
  }
}

/** Does work again that the server has not answered, for a while. Not after the signal. @throws UNAVAILABLE */
export async function persistently<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + PATIENCE
  for (let wait = FIRST_PAUSE; ; wait *= 2) {
    try {
      return await work()
    } catch (error) {
      const isOver = signal?.aborted === true || performance.now() + wait > end
      if (isOver || !isFilemgrError(error, 'UNAVAILABLE')) throw error
      await pause(wait)
    }
  }
}

function nameOf(bucket: string, key: string): string {
  return `${bucket} ${key.replace(/\/$/, '')}`
}

import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../domain/errors.ts'
import { DAEMONS_TURN } from '../../domain/server/daemons-turn.ts'
import { systemRandom } from '../../platform/security/random.ts'
import { hasDaemon } from '../../platform/network/daemon-socket.ts'
import { lockHolder, tryDataLock } from './data-lock.ts'
import { diskFailure } from '../disk/disk.ts'

const MAX_PAUSE = 20
const LOCK_TIMEOUT = 30_000

/**
 * Takes the lock of a data folder. Waits for other processes to finish.
 *
 * @throws STORE_BUSY naming the holder, if it is not released in time; the `DAEMONS_TURN` at once if a daemon runs
 */
export async function takeDataLock(folder: string, timeout = LOCK_TIMEOUT): Promise<Disposable> {
  const began = performance.now()
  for (;;) {
    const lock = await tryWithoutDaemon(folder)
    if (lock !== undefined) return lock
    if (performance.now() - began > timeout) {
      const holder = await lockHolder(folder)
      fail('STORE_BUSY', `The store is locked by ${holder}. Try again, or stop that process.`, {
        retryAfter: 5,
      })
    }
    await pause()
  }
}

/** Waits a random time between two tries, so that all processes get a turn. */
export async function pause(): Promise<void> {
  await sleep(1 + systemRandom.below(MAX_PAUSE))
}

async function tryWithoutDaemon(folder: string): Promise<Disposable | undefined> {
  try {
    if (await hasDaemon(folder)) fail('STORE_BUSY', `A daemon runs on ${folder}. Stop it first.`, DAEMONS_TURN)
    return await tryDataLock(folder)
  } catch (error) {
    throw diskFailure(error, folder, 'opened')
  }
}

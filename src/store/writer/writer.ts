import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../domain/errors.ts'
import { DAEMONS_TURN } from '../../domain/server/daemons-turn.ts'
import type { Session } from '../../domain/accounts/session.ts'
import { systemRandom } from '../../platform/security/random.ts'
import { connectDaemon } from '../../platform/network/daemon-socket.ts'
import { sendToDaemon } from './control-socket.ts'
import { lockHolder, tryDataLock } from './data-lock.ts'
import { diskFailure } from '../disk/disk.ts'
import type { DocumentChange } from '../json/document-changes.ts'
import type { CollectionChange } from '../store.ts'

const MAX_PAUSE = 20
const LOCK_TIMEOUT = 30_000

/** A change that a command asks the daemon to write. */
export type HandOver = ChangesHandOver | { readonly sessions: CollectionChange<Session> }

/** Changes of a document. */
interface ChangesHandOver {
  /** Name of its file. */
  readonly file: string
  /** Digest of what they are based on. */
  readonly base: string
  readonly changes: readonly DocumentChange[]
}

/** Permission to change the files of a data folder: the lock itself, or the daemon that holds it. */
export interface Writer extends Disposable {
  /**
   * Present while a daemon runs: then it alone writes. Returns false if what is stored has changed since `base`.
   *
   * @throws the daemon's error
   */
  readonly handOver?: (change: HandOver) => Promise<boolean>
}

/**
 * Takes the lock of a data folder, or connects to the daemon that holds it. Waits for other commands to finish.
 *
 * @throws STORE_BUSY naming the holder of the lock, if it is not released in time
 */
export async function reachWriter(folder: string, timeout = LOCK_TIMEOUT): Promise<Writer> {
  const began = performance.now()
  for (;;) {
    const found = await tryToReach(folder)
    if (found !== undefined) return found
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

async function tryToReach(folder: string): Promise<Writer | undefined> {
  try {
    const daemon = await connectDaemon(folder)
    return daemon === undefined ? await tryDataLock(folder) : writerThrough(daemon)
  } catch (error) {
    throw diskFailure(error, folder, 'opened')
  }
}

/** Takes the lock of a data folder. @throws STORE_BUSY, immediately if a daemon runs */
export async function takeDataLock(folder: string): Promise<Disposable> {
  const writer = await reachWriter(folder)
  if (writer.handOver === undefined) return writer
  writer[Symbol.dispose]()
  return fail('STORE_BUSY', `A daemon runs on ${folder}. Stop it first.`, DAEMONS_TURN)
}

/** Whether a daemon runs on a data folder. */
export async function hasDaemon(folder: string): Promise<boolean> {
  const daemon = await connectDaemon(folder)
  daemon?.destroy()
  return daemon !== undefined
}

function writerThrough(daemon: Socket): Writer {
  return {
    handOver: async (change) => (await sendToDaemon(daemon, change)) === true,
    [Symbol.dispose]: () => daemon.destroy(),
  }
}

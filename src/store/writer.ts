import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../domain/errors.ts'
import type { Session } from '../domain/session.ts'
import { systemRandom } from '../platform/random.ts'
import { askDaemon, connectDaemon } from './control-socket.ts'
import { lockHolder, tryDataLock } from './data-lock.ts'
import { diskFailure } from './disk-failure.ts'
import type { CollectionChange } from './store.ts'

const LONGEST_PAUSE = 20
const PATIENCE = 10_000

/** What a command asks a daemon to write. */
export type HandOver = DocumentHandOver | { readonly sessions: CollectionChange<Session> }

/** A document that is to take the place of what a file says. */
interface DocumentHandOver {
  /** Name of the file. */
  readonly file: string
  /** Digest of the content that it was made from. */
  readonly base: string
  readonly document: object
}

/** The way to change the files of a data folder. */
export interface Writer extends Disposable {
  /**
   * There beside a daemon, which alone writes. False when the file says something else by now.
   *
   * @throws what the daemon refuses with
   */
  readonly handOver?: (change: HandOver) => Promise<boolean>
}

/**
 * Takes the lock of a data folder, or beside a daemon, which holds it, connects to that. Waits for other commands.
 *
 * @throws STORE_BUSY naming the holder of the lock, when it is not to be had in time
 */
export async function reachWriter(folder: string, patience = PATIENCE): Promise<Writer> {
  const began = performance.now()
  for (;;) {
    const found = await lookFor(folder)
    if (found !== undefined) return found
    if (performance.now() - began > patience) {
      const who = await lockHolder(folder)
      fail('STORE_BUSY', `The store is being changed by ${who}, which does not let go. Try again, or end it.`, {
        retryAfter: 5,
      })
    }
    await sleep(1 + systemRandom.below(LONGEST_PAUSE))
  }
}

async function lookFor(folder: string): Promise<Writer | undefined> {
  try {
    const daemon = await connectDaemon(folder)
    return daemon === undefined ? await tryDataLock(folder) : beside(daemon)
  } catch (error) {
    throw diskFailure(error, folder, 'opened')
  }
}

/** Takes the lock of a data folder. @throws STORE_BUSY, at once where a daemon runs */
export async function takeDataLock(folder: string): Promise<Disposable> {
  const writer = await reachWriter(folder)
  if (writer.handOver === undefined) return writer
  writer[Symbol.dispose]()
  return fail('STORE_BUSY', `A daemon runs on ${folder}: end it first.`)
}

/** Whether a daemon runs on a data folder. */
export async function hasDaemon(folder: string): Promise<boolean> {
  const daemon = await connectDaemon(folder)
  daemon?.destroy()
  return daemon !== undefined
}

function beside(daemon: Socket): Writer {
  return {
    handOver: async (change) => (await askDaemon(daemon, change)) === true,
    [Symbol.dispose]: () => daemon.destroy(),
  }
}

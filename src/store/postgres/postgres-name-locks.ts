import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fail, FilemgrError } from '../../domain/errors.ts'
import { DISK_TIMEOUT } from '../../platform/limits/disk-wait.ts'
import {
  type Claim,
  type HeldNames,
  inOrder,
  type IsClaimed,
  type NameLocks,
  ProcessLocks,
} from '../../platform/limits/name-locks.ts'
import { RETRY_AFTER } from './connection.ts'
import { type LockSession, LockSessions, type Wanted } from './lock-sessions.ts'

/** Milliseconds until one that waits tries again: the one that has the turn, and the others. */
const NEXT = 3
const OTHERS = 20
/** Milliseconds for which an answer of the server proves that the session, and so each of its locks, lives. */
const FRESH = 3000

/**
 * The locks of this process and, for who holds those, advisory locks of the database, which exclude other daemons. The server
 * frees the locks of a daemon that dies.
 *
 * Who finds a lock taken takes a second one, the turn, without which nobody else can take the first: so a daemon with many
 * requests for one name does not keep the others from it.
 */
export class PostgresNameLocks implements NameLocks, AsyncDisposable {
  readonly #process = new ProcessLocks()
  readonly #sessions: LockSessions

  /** @param holder as in `PostgresLeases` */
  constructor(url: string, holder: string) {
    this.#sessions = new LockSessions(url, holder)
  }

  async acquire(names: readonly string[]): Promise<HeldNames> {
    using held = new DisposableStack()
    held.use(await this.#process.acquire(names))
    const session = await this.#acquireAll(inOrder(names).map(wantedOf), held)
    if (session === undefined)
      fail('BUSY', 'another server still works on this: try again in a moment', { retryAfter: RETRY_AFTER })
    return heldIn(session, held.move())
  }

  async claim(name: string): Promise<Claim | undefined> {
    using held = new DisposableStack()
    const own = await this.#process.claim(name)
    if (own === undefined) return undefined
    held.use(own)
    const key = claimKeyOf(name)
    const session = await this.#sessions.claim(key)
    if (session === undefined) return undefined
    held.defer(() => this.#sessions.giveUp(key))
    const all = held.move()
    return {
      others: async () => {
        await own.others()
        await locksPassed(session)
        return await claimsOf(session, key)
      },
      [Symbol.dispose]: () => all.dispose(),
    }
  }

  /**
   * @param held will free what was taken, also after a failure
   * @returns undefined if others still have a name after a while
   */
  async #acquireAll(all: readonly Wanted[], held: DisposableStack): Promise<LockSession | undefined> {
    let used: LockSession | undefined
    const free = (some: readonly Wanted[]) => {
      if (used !== undefined) this.#sessions.free(used, some.flatMap(takenOf))
      for (const one of some) one.has = 'nothing'
    }
    held.defer(() => free(all))
    const end = performance.now() + DISK_TIMEOUT
    for (;;) {
      const session = await this.#sessions.acquire((current) => {
        // The locks of a lost session are lost too.
        if (used !== current) for (const one of all) one.has = 'nothing'
        used = current
        return all.filter(({ has }) => has !== 'key')
      })
      const missing = all.findIndex(({ has }) => has !== 'key')
      if (missing === -1) return session
      // Keeps only those before it. All take names in one order, so no two can wait for each other.
      free(all.slice(missing + 1))
      if (performance.now() >= end) return undefined
      await pause(all[missing]?.has === 'turn' ? NEXT : OTHERS)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]()
  }
}

function heldIn(session: LockSession, held: DisposableStack): HeldNames {
  return {
    confirm: async () => {
      if (!(await session.isAlive(FRESH))) throw lostLocks()
    },
    claims: async () => await claimsOf(session),
    [Symbol.dispose]: () => held.dispose(),
  }
}

/** @throws STORE_BUSY */
async function claimsOf(session: LockSession, own?: number): Promise<IsClaimed | undefined> {
  const claimed = new Set(await orLost(session.claimed()))
  if (own !== undefined) claimed.delete(own)
  return claimed.size === 0 ? undefined : (name) => claimed.has(claimKeyOf(name))
}

/** Waits until other daemons have freed the locks that they hold now, unless one waits for a disk that does not answer. */
async function locksPassed(session: LockSession): Promise<void> {
  const end = performance.now() + DISK_TIMEOUT
  for (let left = await orLost(session.others()); left.size > 0 && performance.now() < end;) {
    await pause(OTHERS)
    left = left.intersection(await orLost(session.others()))
  }
}

async function orLost<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw lostLocks(error)
  }
}

/** Of two names with one hash, only one can be claimed at a time. */
function claimKeyOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) >>> 1
}

/** Two names with one hash only wait for each other. */
function wantedOf(name: string): Wanted {
  const hash = createHash('sha256').update(name).digest()
  return { key: String(hash.readBigInt64BE(0)), turn: String(hash.readBigInt64BE(8)), has: 'nothing' }
}

function takenOf({ key, turn, has }: Wanted): string[] {
  return has === 'nothing' ? [] : [has === 'key' ? key : turn]
}

function lostLocks(cause?: unknown): FilemgrError {
  const message = 'this server has lost touch with the database, so others may change the same: try again'
  return new FilemgrError('STORE_BUSY', message, { retryAfter: RETRY_AFTER }, { cause })
}

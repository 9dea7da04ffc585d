import { setTimeout as pause } from 'node:timers/promises'
import { systemRandom } from '../../platform/security/random.ts'
import type { Connection } from './connection.ts'
import type { Transactions } from './transactions.ts'

/** Begins the names of holders whose sessions have a lock. Holders of older versions have none, and look dead without it. */
const LOCKED = 's-'

/** Fractions of the lifetime of a lease: between two looks, and for which a lock must be missing. */
const INTERVAL = 1 / 15
const PATIENCE = 0.9 * INTERVAL
/**
 * Fraction of the lifetime after which a holder that has lost its connection gives up its leases: earlier than others free them.
 */
export const CLOSED_LOSS = 0.8 * INTERVAL

/** How often to look whether the sessions of a frozen daemon have ended, and the pause in between (ms). */
const TRIES = 20
const PAUSE = 50

const KEY = 'hashtextextended(holder, 0)'

/** The server frees the lock when the session ends. */
const HOLD = 'SELECT pg_advisory_lock_shared(hashtextextended($1, 0))'

const SESSIONS = `
  SELECT pid, (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** Of live leases whose holder has no session. */
const WITHOUT_SESSION = `starts_with(holder, '${LOCKED}') AND until > clock_timestamp()
  AND ${KEY} NOT IN (SELECT key FROM (${SESSIONS}) AS s)`

const LOOK = `SELECT DISTINCT holder FROM filemgr_leases WHERE ${WITHOUT_SESSION}`

const EXPIRE = `UPDATE filemgr_leases SET until = clock_timestamp()
  WHERE holder = ANY ($1) AND ${WITHOUT_SESSION} RETURNING name`

/** A holder that has renewed nothing for half a lifetime, but has a session, is frozen, or its machine is gone. */
const END_SESSIONS = `
  SELECT pg_terminate_backend(pid) FROM (${SESSIONS}) AS s
  WHERE key = hashtextextended($1, 0) AND pid <> pg_backend_pid()
    AND NOT EXISTS (
      SELECT FROM filemgr_leases WHERE holder = $1 AND until > clock_timestamp() + $2 * interval '0.5 milliseconds'
    )`

export function newHolder(): string {
  return LOCKED + systemRandom.token(12)
}

/** Shows the other daemons that the holder lives, for as long as the connection does. */
export async function showSession(connection: Connection, holder: string): Promise<void> {
  await connection.query(HOLD, [holder])
}

/**
 * Ends the sessions of a frozen daemon before somebody else goes on with its work: its locks would be in the way, and when it
 * wakes up, it could still use them.
 *
 * @param lifetime of a lease (ms)
 */
export async function endSessionsOf(
  holder: string,
  lifetime: number,
  link: Pick<Transactions, 'query'>,
): Promise<void> {
  if (!holder.startsWith(LOCKED)) return
  for (let tries = 0; tries < TRIES; tries += 1) {
    if ((await link.query(END_SESSIONS, [holder, lifetime])).length === 0) return
    await pause(PAUSE)
  }
}

/**
 * Finds daemons whose connections are closed, which happens as soon as a process is killed, and frees their leases long before
 * they expire. A daemon that lives but has lost its connection gets the time to open another one.
 */
export class HolderWatch implements Disposable {
  readonly #link: Pick<Transactions, 'query'>
  readonly #patience: number
  readonly #onDeath: () => void
  /** Holders without a session, and since when by `performance.now()`. */
  #missing = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  /** @param lifetime of a lease (ms) @param onDeath called after leases were freed */
  constructor(link: Pick<Transactions, 'query'>, lifetime: number, onDeath: () => void) {
    this.#link = link
    this.#patience = PATIENCE * lifetime
    this.#onDeath = onDeath
    this.#timer = setInterval(() => void this.#look(), INTERVAL * lifetime).unref()
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const began = performance.now()
      const found = await this.#link.query<{ holder: string }>(LOOK)
      const known = this.#missing
      this.#missing = new Map(found.map(({ holder }) => [holder, known.get(holder) ?? performance.now()]))
      const dead = [...this.#missing].filter(([, since]) => began - since >= this.#patience).map(([holder]) => holder)
      if (dead.length > 0 && (await this.#link.query(EXPIRE, [dead])).length > 0) this.#onDeath()
    } catch {
      // The database may have been restarted: then nobody had a session for a while.
      this.#missing.clear()
    } finally {
      this.#isLooking = false
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

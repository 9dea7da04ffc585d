import { setTimeout as pause } from 'node:timers/promises'
import { fail, FilemgrError } from '../../domain/errors.ts'
import { orRelease } from '../../platform/or-release.ts'
import { MemoryLeases } from '../memory-leases.ts'
import type { Lease, LeaseCounts, Leases, LeaseState, Messages } from '../store.ts'
import { type Connection, RETRY_AFTER } from './connection.ts'
import { CLOSED_LOSS, endSessionsOf, HolderWatch, showSession } from './holder-sessions.ts'
import type { Transactions } from './transactions.ts'

/** Milliseconds, by the database's clock, after which a lease expires unless it is renewed. */
const LIFETIME = 15_000
/**
 * Fractions of the lifetime after which a lease is renewed, and after which its holder gives it up, before others can take it.
 */
const RENEWAL = 0.2
const LOSS = 0.8
/** Milliseconds between two attempts to connect again. */
const RECONNECT = 200
/** How many lifetimes to wait for a holder that was asked to release the name. */
const PATIENCE = 2

const END = `clock_timestamp() + $3 * interval '1 millisecond'`

/**
 * The time in microseconds, later than before for each name: a number of a sequence would be given again after a failover that lost
 * commits, and a write under a lost lease would then be accepted under somebody else's.
 */
const FENCE = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint'

/**
 * Replaces an expired row, or one of our own: that is left from a statement whose response was lost. A row that its holder deletes
 * meanwhile is not replaced: a new one, which has no `xmax`, takes its place, and nobody must end the sessions of that holder.
 */
const ACQUIRE = `
  WITH old AS MATERIALIZED (SELECT holder FROM filemgr_leases WHERE name = $1 AND holder <> $2), won AS (
    INSERT INTO filemgr_leases AS l (name, holder, fence, until) VALUES ($1, $2, ${FENCE}, ${END})
    ON CONFLICT (name) DO UPDATE
      SET holder = excluded.holder, fence = greatest(excluded.fence, l.fence + 1), until = excluded.until
      WHERE l.until <= clock_timestamp() OR l.holder = excluded.holder
    RETURNING fence, xmax <> 0 AS replaced
  )
  SELECT fence::float8, true AS won, (SELECT holder FROM old WHERE replaced) AS former FROM won
  UNION ALL SELECT fence::float8, false, NULL FROM filemgr_leases WHERE name = $1 AND NOT EXISTS (SELECT FROM won)`

/** Also deletes leases that expired more than a month ago. */
const RENEW = `
  WITH old AS (DELETE FROM filemgr_leases WHERE until < clock_timestamp() - interval '30 days')
  UPDATE filemgr_leases SET until = ${END}
  WHERE holder = $2 AND fence = ANY ($1) AND until > clock_timestamp() RETURNING fence::float8`

const RELEASE = 'DELETE FROM filemgr_leases WHERE name = $1 AND fence = $2'

const ABANDON = "UPDATE filemgr_leases SET until = clock_timestamp(), holder = '' WHERE name = $1 AND fence = $2"

const LIST = `
  SELECT name, until > clock_timestamp() AS "isHeld", floor(extract(epoch FROM until) * 1000)::float8 AS until
  FROM filemgr_leases WHERE starts_with(name, $1)`

interface Held {
  readonly fence: number
  readonly lost: AbortController
  /** When the last successful renewal was sent, by `performance.now()`. */
  confirmed: number
}

interface PostgresLeasesDeps {
  readonly link: Pick<Transactions, 'query'>
  readonly messages: Messages
  /** Names this daemon. */
  readonly holder: string
  /** True to watch the other daemons. */
  readonly follows: boolean
  readonly lifetime?: number
}

/**
 * Leases in a table, timed by the database's clock. A holder measures from before it sent the request, by a monotonic clock, so
 * it notices a loss before others can acquire the name. If its connection is closed, others can after about a second.
 */
export class PostgresLeases implements Leases, Disposable {
  readonly #deps: PostgresLeasesDeps
  readonly #lifetime: number
  /** Calls of this process that hold a name or wait for it. */
  readonly #turns = new MemoryLeases()
  readonly #held = new Map<string, Held>()
  readonly #deathListeners = new Set<() => void>()
  readonly #watch: HolderWatch | undefined
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined
  #renewed = 0
  #isRenewing = false
  #connection: Connection | undefined
  /** When the connection was closed last, by `performance.now()`. */
  #closed = -Infinity
  #isDisposed = false
  #lost = 0

  constructor(deps: PostgresLeasesDeps) {
    this.#deps = deps
    this.#lifetime = deps.lifetime ?? LIFETIME
    this.#unsubscribe = deps.messages.subscribe({
      received: (kind, content) => {
        if (kind === 'lease') this.#onRequest(content as LeaseRequest)
      },
      gap: () => undefined,
    })
    const notify = () => {
      for (const listener of this.#deathListeners) listener()
    }
    if (deps.follows) this.#watch = new HolderWatch(deps.link, this.#lifetime, notify)
  }

  /** Shows on a new connection that this daemon lives. */
  async attach(connection: Connection): Promise<void> {
    this.#connection = connection
    connection.once('end', () => void this.#onEnd(connection))
    await showSession(connection, this.#deps.holder)
  }

  async tryAcquire(name: string): Promise<Lease | undefined> {
    const turn = await this.#turns.tryAcquire(name)
    if (turn === undefined) return undefined
    return await orRelease(turn, async () => {
      const found = await this.#tryFor(name, turn)
      if (typeof found !== 'number') return found
      await turn[Symbol.asyncDispose]()
      return undefined
    })
  }

  async takeOver(name: string, why: object): Promise<Lease> {
    const turn = await this.#turns.takeOver(name, why)
    return await orRelease(turn, async () => await this.#waitFor(name, turn, why))
  }

  async list(prefix: string): Promise<LeaseState[]> {
    return await this.#deps.link.query<LeaseState & object>(LIST, [prefix])
  }

  onDeath(listener: () => void): () => void {
    this.#deathListeners.add(listener)
    return () => void this.#deathListeners.delete(listener)
  }

  async #waitFor(name: string, turn: Lease, why: object): Promise<Lease> {
    const end = performance.now() + PATIENCE * this.#lifetime
    let sent = { fence: 0, at: 0 }
    for (let wait = 30; ; wait = Math.min(wait * 1.5, 500)) {
      const found = await this.#tryFor(name, turn)
      if (typeof found !== 'number') return found
      if (turn.signal.aborted) fail('CONFLICT', 'another request has asked for the same meanwhile')
      const now = performance.now()
      if (now > end) fail('BUSY', 'another server still works on this; try again later', { retryAfter: RETRY_AFTER })
      // Sent again after a while, because a message may get lost.
      if (found !== sent.fence || now - sent.at > 2000) {
        this.#deps.messages.send('lease', { name, fence: found, why } satisfies LeaseRequest)
        sent = { fence: found, at: now }
      }
      await pause(wait)
    }
  }

  /** @returns the lease; or the fence of the holder, if that is another daemon */
  async #tryFor(name: string, turn: Lease): Promise<Lease | number> {
    const confirmed = performance.now()
    const values = [name, this.#deps.holder, this.#lifetime]
    const [found] = await this.#deps.link.query<{ fence: number; won: boolean; former: string | null }>(ACQUIRE, values)
    // The lease was released between the two parts of the statement.
    if (found === undefined) return 0
    const { fence, won, former } = found
    if (!won) return fence
    const held: Held = { fence, lost: new AbortController(), confirmed }
    this.#held.set(name, held)
    this.#timer ??= setInterval(() => this.#tick(), this.#lifetime / 15).unref()
    // While the lease is renewed already. Not every role may end sessions: then the locks of a frozen daemon are in the way until
    // it wakes up.
    if (former !== null) await endSessionsOf(former, this.#lifetime, this.#deps.link).catch(() => undefined)
    // Checked on each call: if the process was frozen, its timers may not have run yet.
    const isLost = () => this.#isLost(held)
    return {
      fence,
      signal: AbortSignal.any([turn.signal, held.lost.signal]),
      get isLost() {
        return isLost()
      },
      renew: async () => {
        await this.#renew([held])
        held.lost.signal.throwIfAborted()
      },
      abandon: async () => await this.#giveUp(ABANDON, name, held, turn),
      [Symbol.asyncDispose]: async () => await this.#giveUp(RELEASE, name, held, turn),
    }
  }

  async #giveUp(statement: string, name: string, held: Held, turn: Lease): Promise<void> {
    this.#held.delete(name)
    if (this.#held.size === 0) this.#stop()
    // If this fails, the lease expires by itself.
    if (!held.lost.signal.aborted) await this.#deps.link.query(statement, [name, held.fence]).catch(() => undefined)
    await turn[Symbol.asyncDispose]()
  }

  #onRequest({ name, fence, why }: LeaseRequest): void {
    if (this.#held.get(name)?.fence === fence) this.#turns.ask(name, why)
  }

  #tick(): void {
    for (const held of this.#held.values()) this.#isLost(held)
    // By the wall clock, which continues while the machine is suspended.
    const isDue = Math.abs(Date.now() - this.#renewed) > RENEWAL * this.#lifetime
    if (isDue && !this.#isRenewing) void this.#renewAll()
  }

  #isLost(held: Held): boolean {
    const now = performance.now()
    if (held.lost.signal.aborted) return true
    const isCut = held.confirmed < this.#closed && now - this.#closed > CLOSED_LOSS * this.#lifetime
    if (isCut || now - held.confirmed > LOSS * this.#lifetime) this.#lose(held)
    return held.lost.signal.aborted
  }

  /** Connects again and renews at once: without a session, the others soon take this daemon for dead. */
  async #onEnd(connection: Connection): Promise<void> {
    if (connection !== this.#connection) return
    const closed = (this.#closed = performance.now())
    const isOpen = () => [...this.#held.values()].some((held) => held.confirmed < closed && !this.#isLost(held))
    while (!this.#isDisposed && closed === this.#closed && isOpen()) {
      if (!this.#isRenewing) await this.#renewAll()
      if (isOpen()) await pause(RECONNECT, undefined, { ref: false })
    }
  }

  async #renewAll(): Promise<void> {
    this.#isRenewing = true
    this.#renewed = Date.now()
    try {
      await this.#renew([...this.#held.values()])
    } catch {
      // `Database` logs that the database is away.
    } finally {
      this.#isRenewing = false
    }
  }

  async #renew(all: readonly Held[]): Promise<void> {
    const sent = performance.now()
    const fences = all.map(({ fence }) => fence)
    const values = [fences, this.#deps.holder, this.#lifetime]
    const rows = await this.#deps.link.query<{ fence: number }>(RENEW, values)
    const renewed = new Set(rows.map(({ fence }) => fence))
    for (const held of all) {
      if (renewed.has(held.fence)) held.confirmed = Math.max(held.confirmed, sent)
      else this.#lose(held)
    }
  }

  #lose({ lost }: Held): void {
    if (lost.signal.aborted) return
    this.#lost += 1
    lost.abort(lostLease())
  }

  counts(): LeaseCounts {
    return { held: [...this.#held.values()].filter((held) => !this.#isLost(held)).length, lost: this.#lost }
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Leases that are still held expire by themselves, as if the daemon had died. */
  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#stop()
    this.#watch?.[Symbol.dispose]()
    this.#held.clear()
    this.#unsubscribe()
  }
}

/** A message that asks the holder to release a name. */
interface LeaseRequest {
  readonly name: string
  readonly fence: number
  readonly why: object
}

export function lostLease(): FilemgrError {
  const message = 'this server has lost touch with the others, who may go on with this work: try again'
  return new FilemgrError('STORE_BUSY', message, { retryAfter: RETRY_AFTER })
}

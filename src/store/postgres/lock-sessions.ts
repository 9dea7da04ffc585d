import { fail } from '../../domain/errors.ts'
import { connect, type Connection, databaseFailure, isLost } from './connection.ts'
import { showSession } from './holder-sessions.ts'

/** Milliseconds after which a server that does not answer counts as lost. */
const PATIENCE = 5000
/** Milliseconds for which freeing a lock waits for a call that takes others, so that one statement does both. */
const LINGER = 2

/** The server notices within half a minute that a machine is gone, and frees its locks. */
const LIMITS = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

/** Frees locks and tries to take others, in one statement: what it frees it may take again. */
const ACQUIRE = `
  WITH freed AS MATERIALIZED (SELECT count(pg_advisory_unlock(key)) FROM unnest($1::bigint[]) AS key)
  SELECT at::int, CASE WHEN has_turn OR pg_try_advisory_lock(turn)
    THEN CASE WHEN pg_try_advisory_lock(key) THEN CASE WHEN pg_advisory_unlock(turn) THEN 'key' END ELSE 'turn' END
    ELSE 'nothing' END AS has
  FROM freed, unnest($2::bigint[], $3::bigint[], $4::bool[]) WITH ORDINALITY AS wanted (key, turn, has_turn, at)`

const FREE = 'SELECT pg_advisory_unlock(key) FROM unnest($1::bigint[]) AS key'

/** Claims have two keys, which no other lock has: the first says that it is one. */
const CLAIM = 0x66_6d_67_72
const MAKE = `SELECT key FROM unnest($1::int[]) AS key WHERE pg_try_advisory_lock(${CLAIM}, key)`
const GIVE_UP = `SELECT pg_advisory_unlock(${CLAIM}, key) FROM unnest($1::int[]) AS key`

const HELD = `
  FROM pg_locks WHERE locktype = 'advisory' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
/** Of all daemons. */
const CLAIMED = `SELECT objid::bigint::int AS key ${HELD} AND classid = ${CLAIM} AND objsubid = 2`
/** The locks of other sessions. Daemons share only those that show that they live. */
const OTHERS = `SELECT concat_ws(' ', pid, classid, objid) AS key ${HELD}
  AND objsubid = 1 AND mode = 'ExclusiveLock' AND pid <> pg_backend_pid()`

/** With names, so that the server prepares each once for a session. */
const STATEMENTS = {
  acquire: ACQUIRE,
  free: FREE,
  live: 'SELECT',
  claim: MAKE,
  giveUp: GIVE_UP,
  claimed: CLAIMED,
  others: OTHERS,
} as const

export type Has = 'nothing' | 'turn' | 'key'

/** A lock to take, with the lock that gives a turn to take it. */
export interface Wanted {
  readonly key: string
  readonly turn: string
  has: Has
}

interface Taken {
  readonly at: number
  readonly has: Has
}

interface Keyed<T> {
  readonly key: T
}

/** A session of the server, in which locks are held until they are freed or it ends. */
export class LockSession {
  readonly #connection: Connection
  #isLost = false
  /** When the last answered statement was sent, by `performance.now()`. */
  #confirmed = -Infinity
  /** When the statement that was sent last is answered: they are sent one after the other. */
  #answered: Promise<void> = Promise.resolve()
  #looking: Promise<unknown> = Promise.resolve()
  #nextLook: Promise<ReadonlySet<number>> | undefined

  private constructor(connection: Connection) {
    this.#connection = connection
    const lose = () => (this.#isLost = true)
    connection.on('error', lose)
    connection.on('end', lose)
  }

  /** @param holder as in `PostgresLeases`: if it freezes, the others end this session */
  static async open(url: string, holder: string): Promise<LockSession> {
    const connection = await connect(url)
    const session = new LockSession(connection)
    await connection.query(LIMITS)
    await showSession(connection, holder)
    return session
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** @param fresh milliseconds for which an earlier answer counts */
  async isAlive(fresh: number): Promise<boolean> {
    try {
      if (!this.#isLost && performance.now() - this.#confirmed > fresh) await this.#ask('live', [])
    } catch {
      this.end()
    }
    return !this.#isLost
  }

  /** Tries to take locks, and notes in each what it has now. */
  async tryAcquire(wanted: readonly Wanted[], freed: readonly string[]): Promise<void> {
    if (wanted.length === 0) {
      await this.#ask('free', [freed])
      return
    }
    const values = [freed, wanted.map(({ key }) => key), wanted.map(({ turn }) => turn)]
    const rows = await this.#ask<Taken>('acquire', [...values, wanted.map(({ has }) => has === 'turn')])
    for (const { at, has } of rows) Object.assign(wanted[at - 1] ?? {}, { has })
  }

  /** @returns the keys that nobody else has claimed */
  async claim(keys: readonly number[]): Promise<readonly number[]> {
    return (await this.#ask<Keyed<number>>('claim', [keys])).map(({ key }) => key)
  }

  /** Soon; does not wait for it. */
  giveUp(keys: readonly number[]): void {
    if (keys.length > 0 && !this.#isLost) this.#ask('giveUp', [keys]).catch(() => this.end())
  }

  /** What all daemons have claimed. Calls that come while one looks share the next look. */
  async claimed(): Promise<ReadonlySet<number>> {
    this.#nextLook ??= this.#look(this.#looking)
    return await this.#nextLook
  }

  async #look(before: Promise<unknown>): Promise<ReadonlySet<number>> {
    await before
    this.#nextLook = undefined
    const rows = this.#ask<Keyed<number>>('claimed', [])
    this.#looking = rows.catch(() => undefined)
    return new Set((await rows).map(({ key }) => key))
  }

  /** The locks of other sessions at this moment. */
  async others(): Promise<ReadonlySet<string>> {
    return new Set((await this.#ask<Keyed<string>>('others', [])).map(({ key }) => key))
  }

  async #ask<T extends object>(name: keyof typeof STATEMENTS, values: readonly unknown[]): Promise<T[]> {
    const statement = { name, text: STATEMENTS[name], values: [...values] }
    const before = this.#answered
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#answered = promise
    await before
    const sent = performance.now()
    const overdue = setTimeout(() => this.end(), PATIENCE)
    try {
      const { rows } = await this.#connection.query<T>(statement)
      this.#confirmed = sent
      return rows
    } finally {
      clearTimeout(overdue)
      resolve()
    }
  }

  /** The server frees all locks. */
  end(): void {
    this.#isLost = true
    void this.#connection.end().catch(() => undefined)
  }
}

/** @returns the locks that are still wanted. Called again for another session, which has none of those of the first. */
export type AskFor = (session: LockSession) => readonly Wanted[]

interface Waiting {
  readonly askFor: AskFor
  readonly resolve: (session: LockSession) => void
  readonly reject: (error: unknown) => void
}

/** One session at a time; another when it is lost. Calls that come while a statement runs share the next one. */
export class LockSessions implements AsyncDisposable {
  readonly #url: string
  readonly #holder: string
  #session: LockSession | undefined
  #waiting: Waiting[] = []
  #freed: string[] = []
  readonly #claimed = new Set<number>()
  #isRunning = false
  #lingering: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(url: string, holder: string) {
    this.#url = url
    this.#holder = holder
  }

  /** Tries to take locks. @returns the session that has those which it got. @throws STORE_BUSY, STORE_INVALID */
  async acquire(askFor: AskFor): Promise<LockSession> {
    const { promise, resolve, reject } = Promise.withResolvers<LockSession>()
    this.#waiting.push({ askFor, resolve, reject })
    this.#run()
    return await promise
  }

  /** Soon; does not wait for it. */
  free(session: LockSession, keys: readonly string[]): void {
    if (session !== this.#session || keys.length === 0) return
    this.#freed.push(...keys)
    this.#lingering ??= setTimeout(() => this.#run(), LINGER)
  }

  /** Until `giveUp`, also in a later session. @returns undefined if another daemon has claimed the key. @throws as `acquire` */
  async claim(key: number): Promise<LockSession | undefined> {
    const session = await this.acquire(() => [])
    try {
      if ((await session.claim([key])).length === 0) return undefined
    } catch (error) {
      throw databaseFailure(error)
    }
    this.#claimed.add(key)
    return session
  }

  giveUp(key: number): void {
    this.#claimed.delete(key)
    this.#session?.giveUp([key])
  }

  #run(): void {
    if (!this.#isRunning) this.#running = this.#serveAll()
  }

  async #serveAll(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length + this.#freed.length > 0) {
      clearTimeout(this.#lingering)
      this.#lingering = undefined
      const batch = this.#waiting.splice(0)
      try {
        await this.#serve(batch)
      } catch (error) {
        for (const { reject } of batch) reject(databaseFailure(error))
      }
    }
    this.#isRunning = false
  }

  async #serve(batch: readonly Waiting[]): Promise<void> {
    const freed = this.#freed.splice(0)
    if (this.#isClosed) fail('CANCELLED', 'The store is closed.')
    const answer = async (session: LockSession, keys: readonly string[]) => {
      await session.tryAcquire(
        batch.flatMap(({ askFor }) => askFor(session)),
        keys,
      )
      for (const { resolve } of batch) resolve(session)
    }
    try {
      if (this.#session?.isLost === false) {
        await answer(this.#session, freed)
        return
      }
    } catch (error) {
      // What it holds is unknown.
      this.#session?.end()
      if (!isLost(error)) throw error
    }
    this.#session = undefined
    if (batch.length === 0) return
    this.#session = await LockSession.open(this.#url, this.#holder)
    if (this.#claimed.size > 0) await this.#session.claim([...this.#claimed])
    await answer(this.#session, [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running
    clearTimeout(this.#lingering)
    this.#isClosed = true
    this.#session?.end()
  }
}

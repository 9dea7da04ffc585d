import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { AgeLimits, StoreLog } from '../store.ts'
import { BRIEF, connect, type Connection, databaseFailure, PATIENT, RETRY_AFTER } from './connection.ts'
import {
  beginWriting,
  CHANNEL,
  type Changes,
  commitRevision,
  readChanges,
  type Point,
  readEverything,
  type Row,
  type State,
  writeRows,
} from './tables.ts'
import { Transactions } from './transactions.ts'

/** Milliseconds for which a read counts as up to date. */
const FRESH = 1000
/** Milliseconds between polls, in case a notification was lost with its connection. */
const POLL = 400
/** Milliseconds for which a request waits for the database. */
const PATIENCE = 2000

const RELOADED =
  'What has changed in the database is not known, as after a failover or a restore: everything was loaded again.'

/** Rows that changed in the database, in their current state. */
export interface News extends Changes {
  /** True if they replace all rows known before. */
  readonly isEverything: boolean
}

interface DatabaseDeps {
  readonly url: string
  readonly log: StoreLog
  /** @throws STORE_INVALID if this program does not know the format */
  readonly requireReadable: (state: State) => void
  /** Takes over rows from the database. If it throws, it is called again with them. */
  readonly apply: (news: News) => void
}

/** What a transaction writes. */
export interface Plan {
  readonly rows: readonly Row[]
  /**
   * Called at the moment when the rows are committed.
   *
   * @param isNews false if `apply` has already brought the rows back
   */
  readonly committed: (isNews: boolean) => void
}

/**
 * Two connections to PostgreSQL: one follows what other machines change, the other writes. Each reconnects by itself.
 *
 * Every change has a revision. A lock on one row lets only one machine write at a time, so revisions are committed in order, and
 * "everything after revision n" is complete.
 */
export class Database implements AsyncDisposable {
  readonly #deps: DatabaseDeps
  readonly #writer: Transactions
  #reader: Connection | undefined
  /** The newest change that was applied. */
  #at: Point | undefined
  /** When the last successful sync began, by `performance.now()`: everything committed by then has been applied. */
  #confirmedAt = -Infinity
  /** The same by `Date.now()`, which goes on while the machine is suspended. */
  #confirmedTime = -Infinity
  #syncing: Promise<void> | undefined
  /** How many times others have asked for a sync, such as machines that announce a change. */
  #announced = 0
  #problem: string | undefined
  #follows = false
  #poll: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: DatabaseDeps) {
    this.#deps = deps
    this.#writer = new Transactions(deps.url, async (connection) => {
      await connection.query(BRIEF)
    })
  }

  /**
   * Adopts the whole content of the database.
   *
   * @param follows whether to follow what other machines change, until disposed
   * @throws STORE_BUSY, STORE_INVALID
   */
  async load(follows: boolean): Promise<void> {
    this.#follows = follows
    await this.#sync()
    if (follows) this.#poll = setInterval(() => this.#syncUnlessBusy(), POLL).unref()
  }

  /**
   * Adopts the latest changes; resolves at once if that was done recently enough.
   *
   * @throws STORE_BUSY
   */
  async refresh({ age = FRESH, outage = 0 }: AgeLimits = {}): Promise<void> {
    const asked = performance.now()
    const isNew = () => this.#confirmedAt >= Math.min(asked, performance.now() - age)
    if (isNew()) return
    // While the database is away, requests must not pile up.
    if (this.#problem !== undefined && this.#syncing !== undefined) {
      this.#requireKnown(outage)
      return
    }
    // A sync that is running may have read already.
    if (age === 0) this.#announced += 1
    const overdue = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => overdue.resolve(undefined), PATIENCE)
    try {
      await Promise.race([this.#sync(), overdue.promise])
    } catch {
      // `#syncOnce` has logged the error.
    } finally {
      clearTimeout(timer)
    }
    if (isNew()) return
    this.#problem ??= 'The database does not answer.'
    this.#requireKnown(outage)
  }

  /**
   * Writes in a transaction, during which no other machine writes. First applies what the others have written.
   *
   * @param plan called after that; without rows, nothing is written
   * @throws STORE_BUSY, STORE_INVALID, NO_SPACE and what `plan` throws; then nothing is written
   */
  async write(plan: () => Plan | Promise<Plan>): Promise<void> {
    await this.#writer.run(beginWriting, async (connection, state) => await this.#writeIn(connection, state, plan))
  }

  async #writeIn(connection: Connection, state: State | undefined, plan: () => Plan | Promise<Plan>): Promise<void> {
    const base = this.#known(state)
    if (!isSame(base, this.#at)) await this.#catchUp(connection)
    const { rows, committed } = await plan()
    if (rows.length === 0) {
      await connection.query('COMMIT')
      committed(false)
      return
    }
    if (!(await writeRows(connection, rows, base.revision)))
      fail('STORE_BUSY', 'The database was edited by hand meanwhile, so nothing was saved. Try again.', {
        retryAfter: RETRY_AFTER,
      })
    const made = await commitRevision(connection, base.revision + 1)
    const isNews = isSame(base, this.#at)
    if (isNews) this.#at = made
    committed(isNews)
  }

  #syncUnlessBusy(): void {
    if (this.#syncing === undefined) void this.#sync().catch(() => undefined)
  }

  /** Handles an announced change, which a sync that is already running may have missed. */
  #syncAgain(): void {
    this.#announced += 1
    this.#syncUnlessBusy()
  }

  /** Adopts the latest changes; concurrent calls share one run. */
  async #sync(): Promise<void> {
    this.#syncing ??= this.#syncUntilDone().finally(() => (this.#syncing = undefined))
    await this.#syncing
  }

  async #syncUntilDone(): Promise<void> {
    let known: number
    do {
      known = this.#announced
      await this.#syncOnce()
    } while (known !== this.#announced)
  }

  async #syncOnce(): Promise<void> {
    if (this.#isClosed) fail('CANCELLED', 'The store is closed.')
    try {
      const connection = (this.#reader ??= await this.#connectReader())
      const asked = performance.now()
      const askedTime = Date.now()
      await this.#catchUp(connection)
      this.#confirmedAt = asked
      this.#confirmedTime = askedTime
      if (this.#problem !== undefined) this.#deps.log.warn('The database is in use again.')
      this.#problem = undefined
    } catch (error) {
      const failure = databaseFailure(error)
      const message = failure instanceof Error ? failure.message : String(failure)
      if (message !== this.#problem && this.#at !== undefined)
        this.#deps.log.error(`${message.replace(/\.?$/, '.')} Until that is solved, requests are refused.`)
      this.#problem = message
      // STORE_INVALID is about the content: the connection itself works.
      if (!isFilemgrError(failure, 'STORE_INVALID')) this.#dropReader()
      throw failure
    }
  }

  async #connectReader(): Promise<Connection> {
    const connection = await connect(this.#deps.url)
    if (!this.#follows) return connection
    connection.on('notification', () => this.#syncAgain())
    await connection.query(`LISTEN ${CHANNEL}`)
    return connection
  }

  #dropReader(): void {
    void this.#reader?.end().catch(() => undefined)
    this.#reader = undefined
  }

  /** Adopts what was committed until now. */
  async #catchUp(connection: Connection): Promise<void> {
    for (;;) {
      const since = this.#at
      const news = await this.#newsSince(since, connection)
      // Otherwise the other connection has brought something meanwhile, perhaps from another server with another history.
      if (since !== this.#at) continue
      if (since !== undefined && news.isEverything) this.#deps.log.warn(RELOADED)
      if (!isSame(news.state, since)) this.#deps.apply(news)
      this.#at = news.state
      return
    }
  }

  /** The changes since then; all rows if they cannot be told. */
  async #newsSince(since: Point | undefined, connection: Connection): Promise<News> {
    const changes = since && (await readChanges(connection, since))
    if (changes !== undefined && changes !== 'unknown')
      return { state: this.#known(changes.state), rows: changes.rows, isEverything: false }
    // It may be the transaction of a writer.
    if (since !== undefined) await connection.query(PATIENT)
    const everything = await readEverything(connection)
    return { state: this.#known(everything?.state), rows: everything?.rows ?? [], isEverything: true }
  }

  /** @throws STORE_INVALID */
  #known(state: State | undefined): State {
    if (state === undefined) fail('STORE_INVALID', 'The database has no store of filemgr.', { reason: 'unreachable' })
    this.#deps.requireReadable(state)
    return state
  }

  #requireKnown(outage: number): void {
    const age = Math.max(performance.now() - this.#confirmedAt, Date.now() - this.#confirmedTime)
    if (age >= outage) fail('STORE_BUSY', 'The database is not available. Try again.', { retryAfter: RETRY_AFTER })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#poll)
    await this.#writer[Symbol.asyncDispose]()
    this.#isClosed = true
    await this.#syncing?.catch(() => undefined)
    this.#dropReader()
  }
}

function isSame(one: Point, other: Point | undefined): boolean {
  return one.revision === other?.revision && one.mark === other.mark
}

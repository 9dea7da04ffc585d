import { hostname } from 'node:os'
import type { AuditEntry } from '../../domain/server/audit.ts'
import { counted } from '../../domain/text/units.ts'
import type { SharedAudit, StoreLog } from '../store.ts'
import { storedJson } from './stored-json.ts'
import { newHolder } from './holder-sessions.ts'
import { Transactions } from './transactions.ts'

/** Milliseconds in which entries are gathered: a thousand downloads in a second must not be a thousand statements. */
const GATHER = 200
/** Milliseconds between two attempts while the database is away, and how many entries wait meanwhile. */
const RETRY = 1000
const MAX_WAITING = 10_000
/** Entries in one statement. */
const CHUNK = 500
/** How many entries the database keeps, and for how many days. */
const KEPT = 100_000
const KEPT_DAYS = 90

/**
 * Has no effect on what it has added before: the statement is repeated if the connection was lost. Of what is too old or too much, it
 * skips what another daemon removes at this moment.
 */
const ADD = `
  WITH trimmed AS (
    DELETE FROM filemgr_audit WHERE id IN (
      SELECT id FROM filemgr_audit
      WHERE id <= (SELECT max(id) FROM filemgr_audit) - ${KEPT} OR time < now() - interval '${KEPT_DAYS} days'
      LIMIT 10000 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO filemgr_audit (writer, number, time, daemon, entry)
  SELECT $1, (e->>'number')::bigint, (e->'entry'->>'time')::timestamptz, $2, e->'entry' FROM json_array_elements($3::json) AS e
  ON CONFLICT (writer, number) DO NOTHING`

const PAGE = `
  SELECT id::float8, round(extract(epoch FROM time) * 1000)::float8 AS at, daemon, entry FROM filemgr_audit
  WHERE (time, id) < (to_timestamp($1::float8 / 1000), $2) ORDER BY time DESC, id DESC LIMIT ${CHUNK}`

interface PostgresAuditDeps {
  readonly link: Pick<Transactions, 'query'>
  /** Names this process. */
  readonly writer: string
  readonly log: StoreLog
}

/** The newest entries of all daemons in a table, so that they outlive their machines. */
export class PostgresAudit implements SharedAudit, AsyncDisposable {
  readonly #deps: PostgresAuditDeps
  readonly #owned: AsyncDisposable | undefined
  #daemon = hostname()
  #waiting: { readonly number: number; readonly entry: AuditEntry }[] = []
  #number = 0
  #left = 0
  #timer: NodeJS.Timeout | undefined
  #adding: Promise<void> | undefined
  #isClosed = false

  /** @param owned disposed of with this */
  constructor(deps: PostgresAuditDeps, owned?: AsyncDisposable) {
    this.#deps = deps
    this.#owned = owned
  }

  nameDaemon(place: string): void {
    this.#daemon = `${hostname()}${place}`
  }

  add(entry: AuditEntry): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) {
      this.#left += 1
      return
    }
    this.#number += 1
    this.#waiting.push({ number: this.#number, entry })
    this.#addSoon(GATHER)
  }

  async *entries(before?: string): AsyncGenerator<AuditEntry, void, void> {
    let last = { at: before === undefined ? Date.now() + FAR : Date.parse(before), id: 0 }
    for (;;) {
      const rows = await this.#deps.link.query<{ id: number; at: number; daemon: string; entry: AuditEntry }>(PAGE, [
        ...[last.at, last.id],
      ])
      for (const { daemon, entry } of rows) yield { ...entry, daemon }
      const end = rows.at(-1)
      if (end === undefined || rows.length < CHUNK) return
      last = end
    }
  }

  #addSoon(milliseconds: number): void {
    if (this.#isClosed || this.#adding !== undefined) return
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#adding ??= this.#addAll().finally(() => (this.#adding = undefined))
    const isDone = await this.#adding.then(
      () => true,
      () => false,
    )
    if (this.#waiting.length > 0) this.#addSoon(isDone ? GATHER : RETRY)
  }

  async #addAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const chunk = this.#waiting.slice(0, CHUNK)
      await this.#deps.link.query(ADD, [this.#deps.writer, this.#daemon, storedJson(chunk)])
      this.#waiting.splice(0, chunk.length)
    }
    this.#tellLeft()
  }

  #tellLeft(): void {
    const lines = counted(this.#left, 'line')
    if (this.#left > 0)
      this.#deps.log.warn(
        `The database was away, so ${lines} of the activity log are only in the file of this machine.`,
      )
    this.#left = 0
  }

  /** While the database is away, what waits is only in the file of this machine. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#left += this.#waiting.length
    this.#tellLeft()
    await this.#owned?.[Symbol.asyncDispose]()
  }
}

/** The log of all daemons, for a command. Disposing of it writes what was added. */
export function openPostgresAudit(url: string, log: StoreLog): SharedAudit & AsyncDisposable {
  const link = new Transactions(url)
  return new PostgresAudit({ link, writer: newHolder(), log }, link)
}

/** A day, since the clock of another machine may be ahead. */
const FAR = 24 * 60 * 60 * 1000

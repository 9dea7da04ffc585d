import { randomUUID } from 'node:crypto'
import type { WrittenBy } from '../json/document-codec.ts'
import type { Connection } from './connection.ts'
import { storedJson } from './stored-json.ts'

/** The tables with our data. `fields` has one row for each field of the document that is not a list. */
export const KINDS = ['fields', 'users', 'shares', 'tokens', 'sessions'] as const
export type Kind = (typeof KINDS)[number]

/** A row as it is now; `data` is null once it is removed. */
export interface Row {
  readonly kind: Kind
  readonly id: string
  readonly data: unknown
}

/** A revision, and the random mark that its writer gave it: two histories may have the same revision, but not the same mark. */
export interface Point {
  readonly revision: number
  /** "" if an older filemgr, which knew no marks, wrote the revision. */
  readonly mark: string
}

/**
 * The row that every writer locks, so that revisions are committed in their order and none is missed: the newest revision, the
 * one up to which removals are forgotten, the version of the document, and that of the newest filemgr that opened it.
 */
export type State = Point & Readonly<Record<'trimmed' | 'version', number> & { writer: string }>

/** Key of the advisory lock for creating and migrating the tables. */
const MIGRATION_LOCK = 0x66_69_6c_65

/** @param revision an expression. The result is "" if the revision is unknown, or its mark is forgotten. */
const markOf = (revision: string) =>
  `coalesce((SELECT mark FROM filemgr_revisions AS r WHERE r.revision = ${revision}), '')`

const STATE = `revision::float8, ${markOf('s.revision')} AS mark, trimmed::float8, version, writer`
const FROM_STATE = `SELECT ${STATE} FROM filemgr_state AS s`

/** Deferred, so that two users can exchange their names in one change. */
const UNIQUE_NAME = ", name text GENERATED ALWAYS AS (data->>'username') STORED UNIQUE DEFERRABLE INITIALLY DEFERRED"

const TABLES = [
  `CREATE TABLE IF NOT EXISTS filemgr_state (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version integer NOT NULL,
    writer text NOT NULL,
    revision bigint NOT NULL,
    trimmed bigint NOT NULL DEFAULT 0
  )`,
  ...KINDS.flatMap((kind) => [
    `CREATE TABLE IF NOT EXISTS filemgr_${kind} (
      id text PRIMARY KEY,
      data jsonb NOT NULL,
      revision bigint NOT NULL,
      position bigint GENERATED ALWAYS AS IDENTITY
      ${kind === 'users' ? UNIQUE_NAME : ''}
    )`,
    `CREATE INDEX IF NOT EXISTS filemgr_${kind}_revision ON filemgr_${kind} (revision)`,
  ]),
  `CREATE TABLE IF NOT EXISTS filemgr_removed (
    kind text,
    id text,
    revision bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, id)
  )`,
  'CREATE INDEX IF NOT EXISTS filemgr_removed_revision ON filemgr_removed (revision)',
]

/** Tables that an older version did not have. Losing their rows costs unfinished work, or that all daemons load everything again. */
const LATER_TABLES = [
  `CREATE TABLE IF NOT EXISTS filemgr_revisions (
    revision bigint PRIMARY KEY,
    mark text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE IF NOT EXISTS filemgr_facts (
    id text PRIMARY KEY,
    fact jsonb NOT NULL,
    until timestamptz NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS filemgr_leases (
    name text PRIMARY KEY,
    holder text NOT NULL,
    fence bigint NOT NULL,
    until timestamptz NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS filemgr_records (
    kind text,
    id text,
    data jsonb NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (kind, id)
  )`,
  // As text, so that an entry is shown as it was written.
  `CREATE TABLE IF NOT EXISTS filemgr_audit (
    writer text,
    number bigint,
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    time timestamptz NOT NULL,
    daemon text NOT NULL,
    entry json NOT NULL,
    PRIMARY KEY (writer, number)
  )`,
  'CREATE INDEX IF NOT EXISTS filemgr_audit_time ON filemgr_audit (time, id)',
  'CREATE INDEX IF NOT EXISTS filemgr_records_data ON filemgr_records USING gin (data jsonb_path_ops)',
]

/** Keeps other machines from creating or migrating the tables until the transaction ends. */
export async function lockMigrations(connection: Connection): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
}

export async function createTables(connection: Connection): Promise<void> {
  for (const statement of [...TABLES, ...LATER_TABLES]) await connection.query(statement)
}

/** False for a database of an older version, which did not have all of these tables. */
export async function hasLaterTables(connection: Connection): Promise<boolean> {
  const names = ['audit', 'facts', 'leases', 'records', 'revisions'].map((name) => `filemgr_${name}`)
  const found = 'SELECT every(to_regclass(name) IS NOT NULL) AS found FROM unnest($1::text[]) AS name'
  const { rows } = await connection.query<{ found: boolean }>(found, [names])
  return rows[0]?.found === true
}

/** Creates those of the later tables that are missing. */
export async function createLaterTables(connection: Connection): Promise<void> {
  for (const statement of LATER_TABLES) await connection.query(statement)
}

/** Facts and records are about the accounts of a store, so they end with it. */
export async function forgetShared(connection: Connection): Promise<void> {
  await connection.query('DELETE FROM filemgr_facts; DELETE FROM filemgr_records')
}

/** Undefined if the database has no store. */
export async function readState(connection: Connection): Promise<State | undefined> {
  const { rows } = await connection.query<{ found: boolean }>(
    "SELECT to_regclass('filemgr_state') IS NOT NULL AS found",
  )
  if (rows[0]?.found !== true) return undefined
  // Without marks, which an old database has not: it is not migrated yet.
  const known = "SELECT revision::float8, '' AS mark, trimmed::float8, version, writer FROM filemgr_state"
  return (await connection.query<State>(known)).rows[0]
}

export async function setWriter(connection: Connection, { version, writer = '' }: WrittenBy): Promise<void> {
  const insert = 'INSERT INTO filemgr_state (version, writer, revision) VALUES ($1, $2, 0)'
  const update = 'DO UPDATE SET version = excluded.version, writer = excluded.writer'
  await connection.query(`${insert} ON CONFLICT (only_row) ${update}`, [version, writer])
}

/**
 * In one statement, so that state and rows are of one moment. The state comes first, and once: it would double the time of a
 * load.
 */
const stateAnd = (rows: readonly string[], order: string, more = '') => `
  SELECT kind, id, data FROM (
    SELECT NULL, NULL, to_jsonb(s), -1, -1 FROM (SELECT ${STATE}${more} FROM filemgr_state AS s) AS s
    ${rows.map((each) => `UNION ALL ${each}`).join(' ')}
  ) AS c (kind, id, data, changed, position)
  ORDER BY ${order}`

const rowsOf = (kind: Kind) => `SELECT '${kind}', id, data, revision, position FROM filemgr_${kind}`

const EVERYTHING = { text: stateAnd(KINDS.map(rowsOf), 'position') }

const CHANGES = {
  name: 'changes',
  text: stateAnd(
    [...KINDS.map(rowsOf), 'SELECT kind, id, NULL, revision, 0 FROM filemgr_removed'].map(
      (rows) => `${rows} WHERE revision > $1`,
    ),
    'changed, position',
    `, ${markOf('$1')} AS since`,
  ),
}

export interface Changes {
  readonly state: State
  readonly rows: readonly Row[]
}

/** All rows, in the order of their creation: none that was removed. */
export async function readEverything(connection: Connection): Promise<Changes | undefined> {
  return await ask(connection, EVERYTHING, [])
}

/**
 * The changes after a revision, oldest first, with the rows that were removed.
 *
 * @returns "unknown" if they cannot be told. Either removals since then are forgotten, or the history has changed: a standby that
 *   lacked the last commits has become the primary server, or an older copy was restored. Then others may have committed
 *   different changes under the same revisions.
 */
export async function readChanges(connection: Connection, since: Point): Promise<Changes | 'unknown' | undefined> {
  const changes = await ask(connection, CHANGES, [since.revision])
  if (changes === undefined) return undefined
  const { state } = changes
  const isKnown = state.since === since.mark && state.revision >= since.revision && state.trimmed <= since.revision
  return isKnown ? changes : 'unknown'
}

async function ask(
  connection: Connection,
  statement: { readonly name?: string; readonly text: string },
  values: number[],
): Promise<(Changes & { readonly state: { readonly since?: string } }) | undefined> {
  const { rows } = await connection.query<[Kind, string, unknown]>({ ...statement, values, rowMode: 'array' })
  const [first, ...others] = rows
  if (first === undefined) return undefined
  return { state: first[2] as State, rows: others.map(([kind, id, data]) => ({ kind, id, data })) }
}

/** Begins a transaction, if there is none, and keeps other machines from writing until it ends. */
export async function beginWriting(connection: Connection): Promise<State | undefined> {
  // Read after the lock, not with it: what others have committed while this waited is only seen by the next statement. Several
  // statements at once save the time of a packet; the types of the driver do not know their results.
  const results: unknown = await connection.query(`BEGIN; SELECT FROM filemgr_state FOR UPDATE; ${FROM_STATE}`)
  return (results as { readonly rows: State[] }[]).at(-1)?.rows[0]
}

const putInto = (kind: Kind) => `
  INSERT INTO filemgr_${kind} AS present (id, data, revision)
  SELECT e.row->>'id', e.row->'data', $2 FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS e (row, number)
  ORDER BY e.number
  ON CONFLICT (id) DO UPDATE SET data = excluded.data, revision = excluded.revision WHERE present.revision <= $3`

const removeFrom = (kind: Kind) => `
  WITH gone AS (DELETE FROM filemgr_${kind} WHERE id = ANY ($1) RETURNING id)
  INSERT INTO filemgr_removed (kind, id, revision) SELECT '${kind}', id, $2 FROM gone
  ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, at = now()`

/** A machine that was away for longer than this loads everything again. */
const TRIM = `
  WITH old AS (DELETE FROM filemgr_removed WHERE at < now() - interval '1 hour' RETURNING revision)
  UPDATE filemgr_state SET trimmed = greatest(trimmed, (SELECT max(revision) FROM old))`

/** Rows in one statement, which is a single text for the server, with a size limit. */
const CHUNK = 2000

/**
 * Writes rows as the revision after `base`, in the transaction that `beginWriting` began.
 *
 * @returns false if a row has changed since `base`: somebody has written without the lock
 */
export async function writeRows(connection: Connection, rows: readonly Row[], base: number): Promise<boolean> {
  const revision = base + 1
  for (const kind of KINDS) {
    const own = rows.filter((row) => row.kind === kind)
    const removed = own.filter(({ data }) => data === null).map(({ id }) => id)
    // Removals first: a new row may have the name of a removed one.
    if (removed.length > 0) await connection.query(removeFrom(kind), [removed, revision])
    const puts = own.filter(({ data }) => data !== null)
    for (let first = 0; first < puts.length; first += CHUNK) {
      const chunk = puts.slice(first, first + CHUNK).map(({ id, data }) => ({ id, data }))
      const { rowCount } = await connection.query(putInto(kind), [storedJson(chunk), revision, base])
      if (rowCount !== chunk.length) return false
    }
  }
  if (rows.some(({ data }) => data === null)) await connection.query(TRIM)
  return true
}

export const CHANNEL = 'filemgr'

/** Marks of the last revisions, and of those of the last hour, are kept: a machine that is further behind loads everything. */
const KEPT_MARKS = 1000

/** Makes a revision the newest one, under a new mark, notifies all machines, and commits. */
export async function commitRevision(connection: Connection, revision: number): Promise<Point> {
  const mark = randomUUID()
  const statements = [
    `UPDATE filemgr_state SET revision = ${revision}`,
    `INSERT INTO filemgr_revisions (revision, mark) VALUES (${revision}, '${mark}')
      ON CONFLICT (revision) DO UPDATE SET mark = excluded.mark, at = excluded.at`,
    `DELETE FROM filemgr_revisions WHERE revision <= ${revision - KEPT_MARKS} AND at < now() - interval '1 hour'`,
    `SELECT pg_notify('${CHANNEL}', '')`,
    'COMMIT',
  ]
  await connection.query(statements.join(';'))
  return { revision, mark }
}

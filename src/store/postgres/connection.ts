import { Client, type CustomTypesConfig, types } from 'pg'
import { type ErrorCode, fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { requireStoreUrl, storeServers } from '../../domain/server/store-url.ts'
import { traced, TRACES } from '../../platform/traces.ts'
import { parseStored } from './stored-json.ts'

/** A pooler with other clients may give us different sessions by chance. */
const ROUNDS = 3

const OLDEST = 13
const JSON_TYPE = 114
const JSONB_TYPE = 3802
/** Milliseconds. */
const CONNECT_TIMEOUT = 5000
/** Milliseconds for each of several servers: one that is frozen must not keep us from the others. */
const NEXT_TIMEOUT = 2000
/** Milliseconds that a statement, a wait for a lock, or a pause in a transaction may take. */
const STATEMENT_TIMEOUT = 10_000
/** After this many seconds, a client tries again. */
export const RETRY_AFTER = 2

/**
 * Timeouts, so that a transaction of a machine that froze or lost its network does not keep the others from writing. No JIT:
 * compiling our small queries would take a hundred times as long as running them.
 */
const LIMITS = `SET statement_timeout = ${STATEMENT_TIMEOUT}; SET lock_timeout = ${STATEMENT_TIMEOUT}; \
SET idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT}; SET jit = off`

/**
 * For transactions that others wait for: a machine that froze in one must not keep them for as long as `LIMITS` allows. After
 * `PATIENT`, it may again take its time, such as to load everything.
 */
export const BRIEF = 'SET idle_in_transaction_session_timeout = 2000'
export const PATIENT = `SET LOCAL idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT}`

/** JSON is read by `parseStored`, which undoes what `storedJson` has done. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === JSON_TYPE || oid === JSONB_TYPE ? parseStored : types.getTypeParser(oid, format),
}

export type Connection = Client

/**
 * Opens a connection to the first server in the URL that takes writes. Without a password in the URL, PGPASSWORD and ~/.pgpass are
 * used.
 *
 * @throws INVALID_INPUT for a wrong URL; STORE_INVALID or STORE_BUSY as `databaseFailure`
 */
export async function connect(url: string): Promise<Connection> {
  requireStoreUrl(url)
  const servers = storeServers(url)
  let failure: unknown
  for (const server of servers) {
    try {
      const timeout = servers.length > 1 ? NEXT_TIMEOUT : CONNECT_TIMEOUT
      return await traced(TRACES.connecting, async () => await connectTo(server, timeout))
    } catch (error) {
      failure = error
      // A wrong password or a missing database is not mended by another server.
      if (!isFilemgrError(error, 'STORE_BUSY')) break
    }
  }
  throw failure
}

async function connectTo(server: string, timeout: number): Promise<Connection> {
  const client = new Client({
    connectionString: server,
    connectionTimeoutMillis: timeout,
    // Twice the server's own limit, because it only matters if the server does not answer at all.
    query_timeout: 2 * STATEMENT_TIMEOUT,
    keepAlive: true,
    application_name: 'filemgr',
    types: TYPES,
  })
  // Ignored: a lost connection also fails the running query, or the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; standby: boolean }>(
      "SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby",
    )
    requireVersion(rows[0]?.version ?? 0)
    // What a standby shows is older than what it is asked for, so it would also confirm sessions that have ended.
    if (rows[0]?.standby === true) fail('STORE_BUSY', `PostgreSQL: ${STANDBY}.`, { retryAfter: RETRY_AFTER })
    await client.query(LIMITS)
    client.once('error', () => TRACES.lost.publish({}))
    return withTraces(client)
  } catch (error) {
    void client.end().catch(() => undefined)
    throw databaseFailure(error)
  }
}

function withTraces(client: Client): Connection {
  const query = client.query.bind(client) as (...statement: readonly unknown[]) => Promise<unknown>
  return Object.assign(client, {
    query: async (...statement: readonly unknown[]) =>
      await traced(TRACES.statement, async () => await query(...statement)),
  })
}

/** @param number as in `server_version_num`, for example 150003. @throws STORE_INVALID */
export function requireVersion(number: number): void {
  if (number >= OLDEST * 10_000) return
  const version = `${Math.floor(number / 10_000)}.${number % 10_000}`
  fail('STORE_INVALID', `PostgreSQL ${version} is too old for filemgr. Use ${OLDEST} or newer.`, {
    reason: 'unreachable',
  })
}

const STANDBY =
  'the server is a standby, which only allows reading. Name the primary server, or all: postgres://a,b/filemgr'

type Explanation = readonly [code: ErrorCode, message: string]

/** What the SQLSTATE of an error means for filemgr. */
const REFUSALS: Readonly<Record<string, Explanation>> = {
  '28P01': ['STORE_INVALID', 'the password is wrong or missing. Give it by FILEMGR_STORE, PGPASSWORD or ~/.pgpass'],
  '28000': ['STORE_INVALID', 'this user may not connect. Check the name, and pg_hba.conf of the server'],
  '3D000': ['STORE_INVALID', 'there is no such database. Create it with createdb'],
  '42501': ['STORE_INVALID', 'the user may not use or create tables there. Make it the owner of the database'],
  '3F000': ['STORE_INVALID', 'there is no schema to create tables in. Check search_path'],
  '25006': ['STORE_INVALID', 'the server only allows reading. Name the primary server, not a standby'],
  '42P01': ['STORE_INVALID', 'a table of filemgr is missing. Restore the database'],
  '42703': ['STORE_INVALID', 'a column of filemgr is missing. Restore the database'],
  '23505': ['STORE_INVALID', 'two users have the same name, or two links the same hash'],
  '53100': ['NO_SPACE', 'the disk of the database is full; nothing was changed'],
  '53300': ['STORE_BUSY', 'the server has no connection left. Raise max_connections'],
  '25P03': ['STORE_BUSY', 'this process was held up while others waited for it, so nothing was changed. Try again'],
  '55P03': ['STORE_BUSY', 'another machine keeps the store locked. Try again'],
  '57014': ['STORE_BUSY', 'the server did not answer in time. Try again'],
  // Text with U+0000 or half a character.
  '22P05': ['INVALID_INPUT', 'a text contains characters that the database cannot store'],
  '22P02': ['INVALID_INPUT', 'a text contains characters that the database cannot store'],
}

/** Turns an error of the driver into a readable one, without address and credentials. Returns other errors unchanged. */
export function databaseFailure(error: unknown): unknown {
  if (isFilemgrError(error) || !(error instanceof Error) || error instanceof TypeError) return error
  const state = stateOf(error)
  const [code, reason] = REFUSALS[state] ?? (isServerError(state) ? other(error) : unreachable(state, error))
  const details = code === 'STORE_BUSY' ? { retryAfter: RETRY_AFTER } : code === 'STORE_INVALID' ? UNREACHABLE : {}
  return new FilemgrError(code, `PostgreSQL: ${reason}.`, details, { cause: error })
}

/** Whether the connection failed, rather than a statement. */
export function isLost(error: unknown): boolean {
  return error instanceof Error && !isFilemgrError(error) && !isServerError(stateOf(error))
}

function stateOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const UNREACHABLE = { reason: 'unreachable' }

/**
 * True for a SQLSTATE of a server that keeps running. Class 08 is a lost connection, 57P01 to 57P05 a server that stops or
 * starts.
 */
function isServerError(state: string): boolean {
  return /^[0-9A-Z]{5}$/.test(state) && !state.startsWith('08') && !state.startsWith('57P')
}

/** Codes of Node and OpenSSL. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_/

function unreachable(state: string, error: Error): Explanation {
  // The driver needs a password for this before it asks the server.
  if (error.message.startsWith('SASL')) return REFUSALS['28P01'] ?? other(error)
  if (error.message.includes('does not support SSL'))
    return ['STORE_INVALID', 'the server does not encrypt. Set ssl = on there, or leave out sslmode']
  if (CERTIFICATE.test(state))
    return [
      'STORE_INVALID',
      `the certificate of the server is not trusted (${state}). Name its authority: sslrootcert=<file>`,
    ]
  return ['STORE_BUSY', state === '' ? 'the connection was lost' : `the server is not reachable (${state})`]
}

/** The first line of the server's own message, which names tables and columns but never values. */
function other(error: Error): Explanation {
  return ['STORE_INVALID', error.message.split('\n', 1)[0] ?? '']
}

/**
 * Refuses a pooler that lends one session of the server to several clients in turn, such as PgBouncer with `pool_mode =
 * transaction`: locks between daemons belong to a session, so two clients could hold the same lock, and notifications would get
 * lost.
 *
 * @throws STORE_INVALID, STORE_BUSY
 */
export async function requireOwnSessions(url: string): Promise<void> {
  const one = await connect(url)
  try {
    const other = await connect(url)
    try {
      const known = [await sessionOf(one), await sessionOf(other)]
      for (let round = 0; round < ROUNDS; round += 1) {
        const now = [await sessionOf(one), await sessionOf(other)]
        if (known[0] === known[1] || now.some((session, index) => session !== known[index])) refuse()
      }
    } finally {
      await other.end().catch(() => undefined)
    }
  } finally {
    await one.end().catch(() => undefined)
  }
}

/** The process of the server that serves a connection. */
async function sessionOf(connection: Connection): Promise<number | undefined> {
  return (await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
}

function refuse(): never {
  const advice = 'Give each client a session of its own, as PgBouncer does with pool_mode = session'
  return fail('STORE_INVALID', `PostgreSQL: a connection pooler shares sessions between clients. ${advice}.`, {
    reason: 'unreachable',
  })
}

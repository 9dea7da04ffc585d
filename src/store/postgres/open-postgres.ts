import type { Session } from '../../domain/accounts/session.ts'
import { fail, FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { withoutPassword } from '../../domain/server/store-url.ts'
import { silentLogger } from '../../platform/logging/logger.ts'
import { STORE_FORMAT, type StoreDocument } from '../document.ts'
import { createDocumentCodec, type DocumentCodec } from '../json/document-codec.ts'
import type { Stores } from '../open-stores.ts'
import type { StoreLog } from '../store.ts'
import { connect, type Connection, databaseFailure, requireOwnSessions } from './connection.ts'
import { Database } from './database.ts'
import { createPostgresSessions } from './postgres-sessions.ts'
import { createPostgresShared } from './postgres-shared.ts'
import { createPostgresStore } from './postgres-store.ts'
import { documentOf, ROW_SIZE, rowsBetween } from './rows.ts'
import {
  beginWriting,
  commitRevision,
  createLaterTables,
  createTables,
  forgetShared,
  hasLaterTables,
  KINDS,
  lockMigrations,
  readEverything,
  readState,
  type Row,
  setWriter,
  writeRows,
} from './tables.ts'

export interface OpenPostgresOptions {
  readonly url: string
  readonly log?: StoreLog
  /** True to follow what other machines change, for a long-running process. */
  readonly follows?: boolean
  /** Default: the current one. */
  readonly format?: typeof STORE_FORMAT
  /** Lifetime of leases in milliseconds; for tests. */
  readonly lifetime?: number
}

/**
 * Opens the store in a database, and migrates an old one.
 *
 * @throws NOT_FOUND without a store; STORE_INVALID (damaged, newer, no rights, old server); STORE_BUSY when it is not reachable
 */
export async function openPostgres(options: OpenPostgresOptions): Promise<Stores> {
  const { url, log = silentLogger, follows = false, format = STORE_FORMAT, lifetime } = options
  const codec = createDocumentCodec({ ...format, name: 'The database' })
  return await atAddress(url, async () => {
    // Commands end before a shared session matters to others.
    if (follows) await requireOwnSessions(url)
    await upgrade(url, codec, log)
    const database = new Database({
      url,
      log,
      requireReadable: (state) => codec.requireReadable(state),
      apply(news) {
        store.apply(news)
        sessions.apply(news)
      },
    })
    const store = createPostgresStore({ database, codec, format, log })
    const sessions = createPostgresSessions(database, log)
    const shared = createPostgresShared({ url, follows, log, ...(lifetime !== undefined && { lifetime }) })
    const close = async () => {
      for (const part of [shared, sessions, store, database]) await part[Symbol.asyncDispose]()
    }
    try {
      await database.load(follows)
    } catch (error) {
      await close()
      throw error
    }
    return { store, sessions, shared, [Symbol.asyncDispose]: close }
  })
}

/**
 * Migrates the database if an older filemgr wrote it; other machines wait meanwhile. Older versions keep running until they
 * read a record with an unknown format.
 */
async function upgrade(url: string, codec: DocumentCodec<StoreDocument>, log: StoreLog): Promise<void> {
  await inTransaction(url, async (connection) => {
    const found =
      (await readState(connection)) ??
      fail('NOT_FOUND', 'There is no store in the database yet. Create one: filemgr init')
    const isComplete = await hasLaterTables(connection)
    if (isComplete && !codec.isOld(found)) return
    await lockMigrations(connection)
    if (!isComplete) await createLaterTables(connection)
    const state = await lockedState(connection)
    // Another machine may have been faster.
    if (!codec.isOld(state)) {
      await connection.query('COMMIT')
      return
    }
    await createTables(connection)
    await setWriter(connection, codec.origin())
    if (state.version === codec.origin().version) {
      await commitRevision(connection, state.revision)
      return
    }
    const rows = (await readEverything(connection))?.rows ?? []
    const before = documentOf(rows, state.version)
    const { document } = codec.decodeObject(before, rows.length * ROW_SIZE, state.writer)
    await writeAll(connection, rowsBetween(before, document), state.revision)
    await commitRevision(connection, state.revision + 1)
    log.info(`The database was migrated to version ${codec.origin().version}.`)
  })
}

/** @throws STORE_INVALID, STORE_BUSY */
export async function postgresHasStore(url: string): Promise<boolean> {
  return await atAddress(
    url,
    async () => await inTransaction(url, async (connection) => (await readState(connection)) !== undefined),
  )
}

export interface CreatePostgresOptions {
  /** True to replace a store that is there. */
  readonly replace?: boolean
  /** Writes what must exist before the store does. */
  readonly prepare?: () => Promise<void>
}

/**
 * Creates the store of a database, in one transaction.
 *
 * @throws CONFLICT when there is one; INVALID_INPUT for an invalid document; STORE_INVALID, STORE_BUSY, NO_SPACE
 */
export async function createPostgres(
  url: string,
  { document, sessions = [] }: { readonly document: StoreDocument; readonly sessions?: readonly Session[] },
  { replace = false, prepare }: CreatePostgresOptions = {},
): Promise<void> {
  const codec = createDocumentCodec({ ...STORE_FORMAT, name: 'The database' })
  const admitted = codec.validate(document)
  await atAddress(
    url,
    async () =>
      await inTransaction(url, async (connection) => {
        await lockMigrations(connection)
        const before = await readState(connection)
        if (before !== undefined && !replace) fail('CONFLICT', 'There is a store in the database already.')
        if (before !== undefined) codec.requireReadable(before)
        await createTables(connection)
        await setWriter(connection, codec.origin())
        await forgetShared(connection)
        const { revision } = await lockedState(connection)
        await prepare?.()
        const own = sessions.map((session): Row => ({ kind: 'sessions', id: session.family, data: session }))
        const rows = [...rowsBetween({}, admitted), ...own]
        const kept = new Set(rows.map(keyOf))
        const present = (await readEverything(connection))?.rows ?? []
        const removed = present.filter((row) => !kept.has(keyOf(row))).map((row) => ({ ...row, data: null }))
        await writeAll(connection, [...removed, ...rows], revision)
        await commitRevision(connection, revision + 1)
      }),
  )
}

const keyOf = ({ kind, id }: Row): string => `${KINDS.indexOf(kind)} ${id}`

async function lockedState(connection: Connection) {
  return (await beginWriting(connection)) ?? fail('STORE_INVALID', 'The database has no store of filemgr.')
}

async function writeAll(connection: Connection, rows: readonly Row[], base: number): Promise<void> {
  // A hundred thousand rows take longer than a change.
  await connection.query('SET LOCAL statement_timeout = 0')
  if (!(await writeRows(connection, rows, base))) fail('STORE_INVALID', 'The database was edited by hand.')
}

/** Runs a transaction on a connection of its own. Unless `work` commits, it is rolled back when the connection ends. */
async function inTransaction<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(url)
  try {
    await connection.query('BEGIN')
    return await work(connection)
  } catch (error) {
    throw databaseFailure(error)
  } finally {
    await connection.end().catch(() => undefined)
  }
}

/** Adds the address of the database to errors. Only here, because only the operator who opens the store needs to know it. */
async function atAddress<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isFilemgrError(error) || withoutPassword(url) === '') throw error
    const { code, message, details } = error
    throw new FilemgrError(code, `${withoutPassword(url)}: ${message}`, details, { cause: error })
  }
}

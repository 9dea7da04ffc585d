import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fail } from '../../domain/errors.ts'
import { loadSqlite } from '../../platform/sqlite.ts'

const HEAD = Buffer.from('SQLite format 3\0')

/** The files of a database. */
export interface SqliteFiles {
  readonly database: Uint8Array
  /** The latest changes, from the file with "-wal" after its name; undefined if there is none. */
  readonly wal: Uint8Array | undefined
}

export type SqliteRow = Readonly<Record<string, unknown>>

export function looksLikeSqlite(bytes: Uint8Array): boolean {
  return HEAD.equals(bytes.subarray(0, HEAD.length))
}

/**
 * All rows of the given tables, by table name; skips tables that do not exist. Works on a copy, because opening a database may
 * change it.
 *
 * @throws INVALID_INPUT if the database is damaged
 */
export async function readSqlite(
  { database, wal }: SqliteFiles,
  tables: readonly string[],
): Promise<ReadonlyMap<string, readonly SqliteRow[]>> {
  const { DatabaseSync } = loadSqlite()
  const folder = await mkdtemp(join(tmpdir(), 'filemgr-sqlite-'))
  try {
    const path = join(folder, 'copy.db')
    await writeFile(path, database, { mode: 0o600 })
    if (wal !== undefined) await writeFile(`${path}-wal`, wal, { mode: 0o600 })
    return rowsOf(() => new DatabaseSync(path, { timeout: 0 }), tables)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowsOf(open: () => DatabaseSync, tables: readonly string[]): Map<string, SqliteRow[]> {
  try {
    using database = open()
    const check = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    if (check !== 'ok') throw new Error(String(check))
    const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const names = tables.filter((table) => found.some(({ name }) => name === table))
    return new Map(names.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all() as SqliteRow[]]))
  } catch (error) {
    // SQLite's messages name the problem and never quote the data.
    return fail('INVALID_INPUT', `the database is damaged: ${error instanceof Error ? error.message : String(error)}`)
  }
}

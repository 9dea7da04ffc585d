import { chownSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type * as Sqlite from 'node:sqlite'
import { fail } from '../domain/errors.ts'
import { isErrno } from './disk.ts'

const LOCK = 'store.lock'
/** Says in words who holds the lock, for error messages only. */
const NOTE = 'store.lock.txt'

const SQLITE_BUSY = 5

/**
 * Takes the right to write the store of a data folder; undefined while another process has it. It is a lock of the kernel,
 * which frees it when the process ends, however it ends: nothing stale is ever left behind.
 *
 * @throws STORE_INVALID where the folder cannot be locked, and errors of the disk
 */
export async function tryDataLock(folder: string): Promise<Disposable | undefined> {
  const path = join(folder, LOCK)
  makeLockFile(path)
  const { DatabaseSync } = sqlite()
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written to this database, and the journal stays in memory: a full disk can be locked too.
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    fail('STORE_INVALID', `${path} cannot be locked: ${reason}. Remove that file while no filemgr runs.`, {
      reason: 'unreachable',
    })
  }
  const note = `process ${process.pid} on ${hostname()}`
  await writeFile(join(folder, NOTE), note, { mode: 0o600 }).catch(() => undefined)
  return { [Symbol.dispose]: () => database.close() }
}

/** In words. It may be out of date. */
export async function lockHolder(folder: string): Promise<string> {
  return await readFile(join(folder, NOTE), 'utf8').catch(() => 'another process')
}

/** In one go: if anything else in this process closed the file while it is locked, POSIX would drop the lock. */
function makeLockFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    throw error
  }
  // With sudo, the account that the daemon runs as must be able to lock it.
  const { uid, gid } = statSync(join(path, '..'))
  if (process.geteuid?.() === 0 && uid !== 0) chownSync(path, uid, gid)
}

/** Loaded at its first use, without the note of older Nodes that SQLite is experimental: people could do nothing about it. */
function sqlite(): typeof Sqlite {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    const module = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    return module ?? fail('STORE_INVALID', 'This Node.js is built without SQLite; install Node.js 24 from nodejs.org.')
  } finally {
    process.emitWarning = emitWarning
  }
}

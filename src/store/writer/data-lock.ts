import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fail } from '../../domain/errors.ts'
import { giveToFolderOwner } from '../../platform/files/folder-owner.ts'
import { loadSqlite } from '../../platform/sqlite.ts'
import { isErrno } from '../disk/disk.ts'

const LOCK = 'store.lock'
/** Names the process that holds the lock, for error messages only. */
const NOTE = 'store.lock.txt'

const SQLITE_BUSY = 5

/**
 * Locks the store of a data folder for writing; undefined while another process has the lock. The kernel holds the lock
 * and frees it when the process ends, even by a crash: no stale lock is left.
 *
 * @throws STORE_INVALID if the folder cannot be locked, and disk errors
 */
export async function tryDataLock(folder: string): Promise<Disposable | undefined> {
  const path = join(folder, LOCK)
  makeLockFile(path)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is written to this database and its journal is in memory, so locking works on a full disk.
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    fail('STORE_INVALID', `${path} cannot be locked: ${reason}. Remove that file while no filemgr runs.`, {
      reason: 'unreachable',
    })
  }
  writeNote(join(folder, NOTE))
  return { [Symbol.dispose]: () => database.close() }
}

/** Describes the process that holds the lock; may be out of date. */
export async function lockHolder(folder: string): Promise<string> {
  return await readFile(join(folder, NOTE), 'utf8').catch(() => 'another process')
}

/** Synchronous, before the lock is taken: closing another descriptor of this file in this process would drop a POSIX lock. */
function makeLockFile(path: string): void {
  try {
    makeFile(path, '')
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

/** Ignores errors, such as a full disk, because locking does not need the note. */
function writeNote(path: string): void {
  try {
    // Under sudo, a link that another account has put there must not be followed.
    rmSync(path, { force: true })
    makeFile(path, `process ${process.pid} on ${hostname()}`)
  } catch {
    // Without the note, error messages say "another process".
  }
}

/** @throws EEXIST */
function makeFile(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    // Under sudo, the daemon's account must be able to use it.
    giveToFolderOwner(fd, path)
    writeSync(fd, text)
  } finally {
    closeSync(fd)
  }
}

import { chownSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fail } from '../../domain/errors.ts'
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts'
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
  const note = `process ${process.pid} on ${hostname()}`
  await writeFile(join(folder, NOTE), note, { mode: 0o600 }).catch(() => undefined)
  return { [Symbol.dispose]: () => database.close() }
}

/** Describes the process that holds the lock; may be out of date. */
export async function lockHolder(folder: string): Promise<string> {
  return await readFile(join(folder, NOTE), 'utf8').catch(() => 'another process')
}

/** Synchronous: closing any other descriptor of this file in this process drops the POSIX lock. */
function makeLockFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    throw error
  }
  // Under sudo, the daemon's account must be able to lock it.
  const { uid, gid } = statSync(join(path, '..'))
  if (process.geteuid?.() === 0 && uid !== 0) chownSync(path, uid, gid)
}

import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fail, DAEMONS_TURN } from '../../domain/errors.ts'
import { giveToFolderOwner } from '../../platform/files/folder-owner.ts'
import { loadSqlite } from '../../platform/sqlite.ts'
import { isErrno } from '../../platform/files/error-code.ts'
import { diskFailure } from '../disk/disk.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemRandom } from '../../platform/security/random.ts'
import { hasDaemon } from '../../platform/network/daemon-socket.ts'

const MAX_PAUSE = 20
const LOCK_TIMEOUT = 30_000

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
async function lockHolder(folder: string): Promise<string> {
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

/**
 * Takes the lock of a data folder. Waits for other processes to finish.
 *
 * @throws STORE_BUSY naming the holder, if it is not released in time; the `DAEMONS_TURN` at once if a daemon runs
 */
export async function takeDataLock(folder: string, timeout = LOCK_TIMEOUT): Promise<Disposable> {
  const began = performance.now()
  for (;;) {
    const lock = await tryWithoutDaemon(folder)
    if (lock !== undefined) return lock
    if (performance.now() - began > timeout) {
      const holder = await lockHolder(folder)
      fail('STORE_BUSY', `The store is locked by ${holder}. Try again, or stop that process.`, {
        retryAfter: 5,
      })
    }
    await pause()
  }
}

/** Waits a random time between two tries, so that all processes get a turn. */
export async function pause(): Promise<void> {
  await sleep(1 + systemRandom.below(MAX_PAUSE))
}

async function tryWithoutDaemon(folder: string): Promise<Disposable | undefined> {
  try {
    if (await hasDaemon(folder)) fail('STORE_BUSY', `A daemon runs on ${folder}. Stop it first.`, DAEMONS_TURN)
    return await tryDataLock(folder)
  } catch (error) {
    throw diskFailure(error, folder, 'opened')
  }
}

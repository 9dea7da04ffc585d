import { createWriteStream, readFileSync, readlinkSync } from 'node:fs'
import { readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { giveNewToFolderOwner } from '../platform/files/folder-owner.ts'
import { systemRandom } from '../platform/security/random.ts'
import type { BackupFolders } from '../services/server/backup/backups.ts'
import { isDaemonsTurn } from '../domain/server/daemons-turn.ts'
import type { BrandingRecord } from '../domain/settings/branding.ts'
import { syncFolder } from '../store/disk/atomic-file.ts'
import { createDataFolder } from '../store/disk/data-folder.ts'
import { unlessErrno, diskFailure } from '../store/disk/disk.ts'
import type { Records } from '../store/store.ts'
import { takeDataLock } from '../store/writer/writer.ts'
import { shareBranding } from './branding/shared-branding.ts'
import { writeBranding } from './branding/write-branding.ts'

/** Temporary names of an unfinished restore. */
const UNFINISHED = /^(before-restore-.*\.tar(\.[\w-]+)?\.[\w-]+|branding\.[\w-]+(\.[\w-]+)?)\.tmp$/

/** Made by `stageBranding`: the time, then a random text. */
const RESTORED_BRANDING = /^branding\.\d{4}-\d\d-\d\dT[\d-]+Z-[\w-]{8}$/

/**
 * Saves the replaced state and branding files in the data folder, if there is one.
 *
 * @param records the branding files of all daemons that share a database
 */
export function backupFolders(dataFolder: string | undefined, records?: Records<BrandingRecord>): BackupFolders {
  return {
    async keep(backup, now) {
      if (dataFolder === undefined) return ''
      // Missing where a command reaches a database from another machine.
      await createDataFolder(dataFolder)
      using _lock = await lockForBackup(dataFolder)
      const name = `before-restore-${stampOf(now)}.tar`
      await saveBackup(join(dataFolder, name), backup)
      giveNewToFolderOwner(join(dataFolder, name))
      return name
    },

    async stageBranding(files, now) {
      const name = newBrandingName(now)
      if (records !== undefined) await shareBranding(records, files)
      else if (dataFolder !== undefined && files.size > 0) await writeBranding(join(dataFolder, name), files)
      return name
    },

    async dropBranding(name) {
      if (dataFolder !== undefined)
        await rm(join(dataFolder, name), { recursive: true, force: true }).catch(() => undefined)
    },

    async hasFolder(path) {
      return (await unlessErrno(stat(path), 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'))?.isDirectory() === true
    },
  }
}

/** A new folder name. When the name in the store changes, daemons know that the branding files have changed. */
export function newBrandingName(now: Date): string {
  return `branding.${stampOf(now)}-${systemRandom.token(6)}`
}

/** Removes leftovers of a killed restore from the data folder. Only for the holder of its lock. */
export async function removeUnfinishedRestores(dataFolder: string): Promise<void> {
  for (const path of await unfinishedIn(dataFolder)) await rm(path, { recursive: true, force: true })
}

const UNUSED_BRANDING_TTL_MS = 24 * 60 * 60 * 1000

/**
 * Removes branding folders of restores that were killed before they wrote the folder's name to the store. Keeps those of the last
 * day: a command that runs beside the daemon may be about to write it.
 */
export async function removeUnusedBranding(dataFolder: string, used: string | undefined, now: Date): Promise<void> {
  const oldestKept = `branding.${stampOf(new Date(now.getTime() - UNUSED_BRANDING_TTL_MS))}`
  const names = await readdir(dataFolder)
  const unused = names.filter((name) => RESTORED_BRANDING.test(name) && name !== used && name < oldestKept)
  for (const name of unused) await rm(join(dataFolder, name), { recursive: true, force: true })
}

/**
 * Removes leftovers, and keeps others from doing so. Only without a daemon: its restore may be in progress, and it removes them
 * itself when it starts.
 */
async function lockForBackup(dataFolder: string): Promise<Disposable | undefined> {
  const lock = await takeDataLock(dataFolder).catch((error: unknown) => {
    if (!isDaemonsTurn(error)) throw error
    return undefined
  })
  try {
    if (lock !== undefined) await removeUnfinishedRestores(dataFolder)
    return lock
  } catch (error) {
    lock?.[Symbol.dispose]()
    throw diskFailure(error, dataFolder, 'saved')
  }
}

async function unfinishedIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => UNFINISHED.test(name)).map((name) => join(folder, name))
}

/**
 * Writes a backup that only its owner can read, under its final name once it is complete. Removes leftovers of killed processes.
 *
 * @throws NO_SPACE, STORE_INVALID
 */
export async function saveBackup(path: string, backup: AsyncIterable<Uint8Array>): Promise<void> {
  await removeAbandoned(path)
  const temporary = `${path}.${processMark()}.${systemRandom.token(6)}.tmp`
  try {
    await pipeline(
      Readable.from(backup, { objectMode: false }),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw diskFailure(error, path, 'saved')
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const folder = dirname(path)
  const start = `${basename(path)}.`
  const names = (await unlessErrno(readdir(folder), 'ENOENT', 'ENOTDIR', 'EACCES')) ?? []
  for (const name of names.filter((each) => each.startsWith(start) && each.endsWith('.tmp'))) {
    const [mark = ''] = name.slice(start.length).split('.')
    if (isStale(mark)) await unlessErrno(unlink(join(folder, name)), 'ENOENT', 'EACCES', 'EPERM', 'EISDIR')
  }
}

/** A time as part of a file name: "2026-11-21T20-46-38-123Z". */
export function stampOf(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-')
}

const MARK = /^(\d{1,10})-(\d*)-([0-9a-f]{12})$/

/** Identifies the process that writes a file, as part of the file's name. */
function processMark(): string {
  return `${process.pid}-${startOf(process.pid)}-${thisMachine()}`
}

/** True only if the process is certainly gone. A process of another machine or container may still be running. */
function isStale(mark: string): boolean {
  const [, pid, started, machine] = MARK.exec(mark) ?? []
  if (machine !== thisMachine()) return false
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== started
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Identifies the scope in which pids are unique: one boot of a machine and one pid namespace (each container has its own). */
function thisMachine(): string {
  const boot = fromKernel(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = fromKernel(() => readlinkSync('/proc/self/ns/pid'))
  const machine = boot === undefined ? hostname() : `${boot} ${namespace ?? ''}`
  return createHash('sha256').update(machine).digest('hex').slice(0, 12)
}

/** Start time of a process in kernel ticks, which distinguishes processes that reuse a pid. Empty if unknown. */
function startOf(pid: number): string {
  const text = fromKernel(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The program name is in parentheses and may contain spaces and parentheses. After it, field 1 is the state, 20 the start time.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  return fields[0] === 'Z' ? 'dead, but not yet collected by its parent' : (fields[19] ?? '')
}

function fromKernel(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    // No /proc here, or the process has ended.
    return undefined
  }
}

import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemRandom } from '../platform/random.ts'
import type { BackupPlace } from '../services/backups.ts'
import { unlessErrno } from '../store/disk.ts'
import { diskFailure } from '../store/disk-failure.ts'
import { takeFileLock } from '../store/file-lock.ts'
import { isOfTheDead, processMark } from '../store/process-mark.ts'

/** Folder of the branding files that were uploaded, in the data folder. */
const BRANDING = 'branding'
/** What a restore writes before it has its name. */
const UNFINISHED = /^(before-restore-.*\.tar(\.[\w-]+)?|branding)\.[\w-]+\.tmp$/

/** Backups of the state before, and branding files, in the data folder; without one nothing is kept. */
export function backupPlace(dataFolder: string | undefined): BackupPlace {
  return {
    async keep(backup, now) {
      if (dataFolder === undefined) return ''
      await using _lock = await takeTurn(dataFolder)
      const name = `before-restore-${stampOf(now)}.tar`
      await saveBackup(join(dataFolder, name), backup)
      return name
    },

    async replaceBranding(files, now) {
      if (dataFolder === undefined) return
      await using _lock = await takeTurn(dataFolder)
      const present = join(dataFolder, BRANDING)
      if (files.size === 0 && (await unlessErrno(stat(present), 'ENOENT')) === undefined) return
      const staged = join(dataFolder, `${BRANDING}.${systemRandom.token(6)}.tmp`)
      try {
        await writeFiles(staged, files)
        await unlessErrno(rename(present, `${present}.before-restore-${stampOf(now)}`), 'ENOENT')
        await rename(staged, present)
      } catch (error) {
        await rm(staged, { recursive: true, force: true })
        throw diskFailure(error, BRANDING, 'saved')
      }
    },

    async hasFolder(path) {
      return (await unlessErrno(stat(path), 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'))?.isDirectory() === true
    },
  }
}

/** Removes what a killed restore left in the data folder. */
export async function removeUnfinishedRestores(dataFolder: string): Promise<void> {
  if ((await unfinishedIn(dataFolder)).length === 0) return
  await using _lock = await takeTurn(dataFolder)
}

/** While the lock is held nobody else writes such files: those that are there belong to the dead. */
async function takeTurn(dataFolder: string): Promise<AsyncDisposable> {
  const lock = await takeFileLock(join(dataFolder, 'restore.lock'))
  try {
    for (const path of await unfinishedIn(dataFolder)) await rm(path, { recursive: true, force: true })
    return lock
  } catch (error) {
    await lock[Symbol.asyncDispose]()
    throw diskFailure(error, dataFolder, 'saved')
  }
}

async function unfinishedIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => UNFINISHED.test(name)).map((name) => join(folder, name))
}

/**
 * Writes a backup for its owner only; the file has its name when it is whole. What a killed process left of an earlier try
 * is removed.
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
    if (isOfTheDead(mark)) await unlessErrno(unlink(join(folder, name)), 'ENOENT', 'EACCES', 'EPERM', 'EISDIR')
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await unlessErrno(folder.sync(), 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')
  } finally {
    await folder.close()
  }
}

async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  for (const [name, bytes] of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, bytes, { mode: 0o600, flag: 'wx', flush: true })
  }
}

/** "2026-11-21T20-46-38-123Z": a time as a part of a name. */
export function stampOf(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-')
}

import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { giveNewToFolderOwner } from '../../platform/files/folder-owner.ts'
import { systemRandom } from '../../platform/security/random.ts'
import type { BackupFolders } from '../../domain/server/backup.ts'
import { isDaemonsTurn } from '../../domain/errors.ts'
import type { BrandingRecord } from '../../domain/settings/branding.ts'
import { createDataFolder } from './data-folder.ts'
import { unlessErrno } from '../../platform/files/error-code.ts'
import { diskFailure } from './disk.ts'
import type { Records } from '../store.ts'
import { takeDataLock } from '../writer/data-lock.ts'
import { shareBranding } from './shared-branding.ts'
import { writeBranding } from './write-branding.ts'
import { saveBackup } from './save-backup.ts'

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

/** A time as part of a file name: "2026-11-21T20-46-38-123Z". */
export function stampOf(time: Date): string {
  return time.toISOString().replaceAll(/[:.]/g, '-')
}

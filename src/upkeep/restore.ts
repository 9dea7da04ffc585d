import type { RestoreReport } from '../domain/server/backup.ts'
import { readBackup, writeBackup } from '../services/server/backup/backup-file.ts'
import { restoredDocument } from '../services/server/backup/restored-document.ts'
import { notesOn, reportOf } from '../services/server/backup/backups.ts'
import { systemClock } from '../platform/clock.ts'
import { createDataFolder } from '../store/disk/data-folder.ts'
import { storeCodec } from '../store/open-stores.ts'
import { replaceStoreAt, storeExistsAt, type StoreLocation } from '../store/location.ts'
import { backupFolders, stampOf } from '../store/disk/backup-folders.ts'
import { shareBrandingAt } from '../store/disk/shared-branding.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { brandingFiles, createBranding } from '../services/settings/branding.ts'
import { brandingFolders } from '../context/branding-folders.ts'

export interface RestoreRequest {
  readonly location: StoreLocation
  readonly stream: AsyncIterable<Uint8Array>
  readonly dryRun: boolean
}

/** The counts from before the restore are null if the old store cannot be read. */
export type RescueReport = Omit<RestoreReport, 'usersBefore' | 'sharesBefore'> & {
  readonly usersBefore: number | null
  readonly sharesBefore: number | null
}

/**
 * Restores a backup if there is no store, or only a damaged one, which is kept.
 *
 * @throws INVALID_INPUT for a backup that cannot be used; TOO_LARGE, NO_SPACE, STORE_BUSY, STORE_INVALID
 */
export async function restoreWithoutStore({ location, stream, dryRun }: RestoreRequest): Promise<RescueReport> {
  const { folder } = location
  const backup = await readBackup(stream, storeCodec())
  const backups = backupFolders(folder)
  const notes = await notesOn(backup, backups)
  const countBefore = (await storeExistsAt(location)) ? null : 0
  const report = (kept: string): RescueReport => ({
    ...reportOf(backup, { dryRun, notes, kept, usersBefore: 0, sharesBefore: 0 }),
    usersBefore: countBefore,
    sharesBefore: countBefore,
  })
  if (dryRun) return report('')
  const now = new Date(systemClock.now())
  const { files } = backup.document.settings.branding
  const isOwnFolder = files === '' || !(await backups.hasFolder(files))
  await createDataFolder(folder)
  const brandingFolder = isOwnFolder ? await backups.stageBranding(backup.branding, now) : undefined
  const document = restoredDocument({ backup: backup.document, brandingFolder })
  const kept = await replaceStoreAt(location, document, `before-restore-${stampOf(now)}`)
  if (isOwnFolder) await shareBrandingAt(location, backup.branding)
  return report(kept)
}

const MAX_SIZE = 64 * 1024 * 1024

/**
 * Turns a store file that an upgrade kept into a backup. Adds the current branding files, since upgrades do not change them.
 *
 * @param folder the data folder
 * @throws INVALID_INPUT if this filemgr cannot read it; TOO_LARGE
 */
export async function backupOfKeptStore(
  { stream, written }: { readonly stream: AsyncIterable<Uint8Array>; readonly written: Date },
  folder: string,
): Promise<AsyncIterable<Uint8Array>> {
  const store = await read(stream)
  const { document, writer } = decoded(store)
  const branding = createBranding({
    settings: () => document.settings,
    ...brandingFolders({ folder, store: { snapshot: () => document } }),
  })
  const version = writer ?? 'before 1.0'
  return writeBackup({ store, branding: brandingFiles(branding), version, now: written })
}

async function read(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of file) {
    size += part.length
    if (size > MAX_SIZE) fail('TOO_LARGE', 'this is not a store of filemgr: it is too large')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function decoded(bytes: Uint8Array) {
  const codec = storeCodec()
  try {
    return { document: codec.decode(bytes), writer: codec.writerOf(bytes) }
  } catch (error) {
    if (!isFilemgrError(error, 'STORE_INVALID')) throw error
    return fail('INVALID_INPUT', `this store cannot be used: ${error.message}`, {}, { cause: error })
  }
}

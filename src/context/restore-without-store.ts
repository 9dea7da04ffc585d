import type { RestoreReport } from '../domain/backup.ts'
import { readBackup } from '../services/backup/read-backup.ts'
import { restoredDocument } from '../services/backup/restored-document.ts'
import { notesOn, reportOf } from '../services/backups.ts'
import { systemClock } from '../platform/clock.ts'
import { openStores, replaceStore, storeCodec, storeExists } from '../store/open-stores.ts'
import type { StoreLog } from '../store/store-log.ts'
import { backupPlace, stampOf } from './backup-place.ts'

export interface RestoreRequest {
  /** The data folder. */
  readonly folder: string
  readonly stream: AsyncIterable<Uint8Array>
  readonly dryRun: boolean
  readonly log: StoreLog
}

/** What the state before held is not known of a store that cannot be read. */
export type RescueReport = Omit<RestoreReport, 'usersBefore' | 'sharesBefore'> & {
  readonly usersBefore: number | null
  readonly sharesBefore: number | null
}

/**
 * Takes a backup where there is no store, or only a damaged one, which is kept.
 *
 * @throws INVALID_INPUT for a backup that cannot be used; TOO_LARGE, NO_SPACE, STORE_BUSY, STORE_INVALID
 */
export async function restoreWithoutStore({ folder, stream, dryRun, log }: RestoreRequest): Promise<RescueReport> {
  const backup = await readBackup(stream, storeCodec())
  const place = backupPlace(folder)
  const notes = await notesOn(backup, place)
  const known = (await storeExists(folder)) ? null : 0
  const report = (kept: string): RescueReport => ({
    ...reportOf(backup, { dryRun, notes, kept, usersBefore: 0, sharesBefore: 0 }),
    ...{ usersBefore: known, sharesBefore: known },
  })
  if (dryRun) return report('')
  const now = new Date(systemClock.now())
  const document = restoredDocument(backup.document, undefined)
  const { files } = document.settings.branding
  const isOwnFolder = files === '' || !(await place.hasFolder(files))
  if (isOwnFolder) document.settings.branding.files = ''
  const kept = await replaceStore(folder, document, `before-restore-${stampOf(now)}`)
  await using stores = await openStores({ folder, log })
  await stores.sessions.update((draft) => {
    draft.sessions = []
  })
  if (isOwnFolder) await place.replaceBranding(backup.branding, now)
  return report(kept)
}

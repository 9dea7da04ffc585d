import { join } from 'node:path'
import { systemClock } from '../platform/clock.ts'
import { brandingFiles, createBranding } from '../services/settings/branding.ts'
import { createDataFolder } from '../store/disk/data-folder.ts'
import type { Stores } from '../store/open-stores.ts'
import { fillStoreAt, openStoresAt, type StoreLocation } from '../store/location.ts'
import type { StoreLog } from '../store/store.ts'
import { newBrandingName, stampOf } from '../store/disk/backup-folders.ts'
import { brandingFolders } from '../context/branding-folders.ts'
import { shareBrandingAt, sharedBrandingFiles } from '../store/disk/shared-branding.ts'
import { writeBranding } from '../store/disk/write-branding.ts'

export interface CopyRequest {
  readonly from: StoreLocation
  readonly to: StoreLocation
  /** Replace an existing store. A store on disk is renamed and kept. */
  readonly replace: boolean
  readonly log: StoreLog
}

export interface CopyReport {
  readonly users: number
  readonly shares: number
  readonly sessions: number
}

/**
 * Copies accounts, settings, links, sessions and branding files from one store to another, all or nothing. Files of the data
 * folder that belong to one machine, such as logs, thumbnails and unfinished uploads, are not copied.
 *
 * @throws NOT_FOUND without a source; CONFLICT if there is a store at the target and `replace` is false; STORE_INVALID,
 *         STORE_BUSY, NO_SPACE
 */
export async function copyStore({ from, to, replace, log }: CopyRequest): Promise<CopyReport> {
  await using source = await openStoresAt(from, { log, repair: false })
  const sessions = source.sessions.all()
  const now = new Date(systemClock.now())
  const replacedEnding = replace ? `before-copy-${stampOf(now)}` : undefined
  const branding = await brandingOf(from, source)
  const brandingFolder = branding.size === 0 ? undefined : newBrandingName(now)
  const document = { ...structuredClone(source.store.snapshot()), ...(brandingFolder && { brandingFolder }) }
  if (to.url === '' && brandingFolder !== undefined) await stageIn(to, brandingFolder, branding)
  await fillStoreAt(to, { document, sessions }, { log, replacedEnding })
  await shareBrandingAt(to, branding)
  return { users: document.users.length, shares: document.shares.length, sessions: sessions.length }
}

/** The uploaded branding files; none if the setting names a folder that the operator maintains. */
async function brandingOf(
  { folder }: StoreLocation,
  { store, shared }: Stores,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { settings } = store.snapshot()
  if (settings.branding.files !== '') return new Map()
  const files = await (shared?.brandingRecords && sharedBrandingFiles(shared.brandingRecords))
  if (files !== undefined && files.size > 0) return files
  const branding = createBranding({
    settings: () => settings,
    ...brandingFolders({ folder, store }),
  })
  const found = new Map<string, Uint8Array>()
  for await (const { name, bytes } of brandingFiles(branding)) found.set(name, bytes)
  return found
}

async function stageIn({ folder }: StoreLocation, name: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await createDataFolder(folder)
  await writeBranding(join(folder, name), files)
}

import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BrandingRecord } from '../../domain/settings/branding.ts'
import { createDataFolder } from './data-folder.ts'
import { unlessErrno } from '../../platform/files/error-code.ts'
import { openStoresAt, type StoreLocation } from '../location.ts'
import type { Records } from '../store.ts'
import { writeBranding } from './write-branding.ts'

/** Replaces the branding files of all daemons. The caller must then save a new folder name: it makes daemons copy them. */
export async function shareBranding(
  records: Records<BrandingRecord>,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const present = await records.list()
  for (const [name, bytes] of files) await records.put(brandingRecord(name, bytes))
  await records.remove(...present.map(({ id }) => id).filter((id) => !files.has(id)))
}

/** `shareBranding` in the database that holds the store; does nothing for a store on disk. @throws STORE_BUSY */
export async function shareBrandingAt(location: StoreLocation, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  if (location.url === '') return
  await using stores = await openStoresAt(location, {})
  const { brandingRecords } = stores.shared ?? {}
  if (brandingRecords !== undefined) await shareBranding(brandingRecords, files)
}

export async function sharedBrandingFiles(records: Records<BrandingRecord>): Promise<Map<string, Uint8Array>> {
  return new Map((await records.list()).map(({ id, content }) => [id, Buffer.from(content, 'base64')]))
}

/**
 * Writes the shared files to a folder of this machine, unless it exists: its name changes whenever the files change.
 *
 * @returns false if no files are shared
 */
export async function mirrorBranding(records: Records<BrandingRecord>, folder: string): Promise<boolean> {
  const exists = async () => (await unlessErrno(stat(folder), 'ENOENT')) !== undefined
  if (await exists()) return true
  const files = await sharedBrandingFiles(records)
  if (files.size === 0) return false
  await createDataFolder(dirname(folder))
  try {
    await writeBranding(folder, files)
  } catch (error) {
    // Another process may have been faster.
    if (!(await exists())) throw error
  }
  return true
}

export function brandingRecord(name: string, bytes: Uint8Array): BrandingRecord {
  return { id: name, content: Buffer.from(bytes).toString('base64') }
}

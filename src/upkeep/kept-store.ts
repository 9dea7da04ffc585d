import { fail, isFilemgrError } from '../domain/errors.ts'
import { writeBackup } from '../services/server/backup/backup-file.ts'
import { brandingFiles, createBranding } from '../services/settings/branding.ts'
import { storeCodec } from '../store/open-stores.ts'
import { brandingFolders } from '../context/branding-folders.ts'

const MAX_SIZE = 64 * 1024 * 1024

export interface KeptStore {
  readonly stream: AsyncIterable<Uint8Array>
  readonly written: Date
}

/**
 * Turns a store file that an upgrade kept into a backup. Adds the current branding files, since upgrades do not change them.
 *
 * @param folder the data folder
 * @throws INVALID_INPUT if this filemgr cannot read it; TOO_LARGE
 */
export async function backupOfKeptStore(
  { stream, written }: KeptStore,
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

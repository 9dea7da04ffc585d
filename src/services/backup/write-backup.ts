import { createHash } from 'node:crypto'
import { BACKUP_FORMAT, type BackupManifest } from '../../domain/backup.ts'
import { writeTar, type TarFile } from '../../platform/tar/write-tar.ts'
import { BRANDING_PREFIX, MANIFEST_FILE, STORE_FILE } from './backup-names.ts'

export interface BackupContent {
  /** store.json as it stands in a data folder. */
  readonly store: Uint8Array
  readonly branding: AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>
  /** Of this filemgr. */
  readonly version: string
  readonly now: Date
}

/** A backup as a stream of bytes: the files, then a manifest with their digests. */
export function writeBackup({ store, branding, version, now }: BackupContent): AsyncGenerator<Buffer> {
  return writeTar(files())

  async function* files(): AsyncGenerator<TarFile> {
    const listed: BackupManifest['files'] = []
    const listing = (name: string, bytes: Uint8Array): TarFile => {
      listed.push({ name, size: bytes.length, sha256: digestOf(bytes) })
      return { name, bytes, modified: now }
    }
    yield listing(STORE_FILE, store)
    for await (const { name, bytes } of branding) yield listing(`${BRANDING_PREFIX}${name}`, bytes)
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT,
      filemgr: version,
      created: now.toISOString(),
      files: listed,
    }
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    yield { name: MANIFEST_FILE, bytes, modified: now }
  }
}

/** SHA-256 in hexadecimal, as the manifest of a backup holds it. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

import { createHash } from 'node:crypto'
import { BACKUP_FORMAT, BackupManifest } from '../../../domain/server/backup.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { createSchemaCheck } from '../../../platform/validation/schema-check.ts'
import { readTar, type TarFile, writeTar } from '../../../platform/archives/plain-tar.ts'
import type { StoreDocument } from '../../../store/document.ts'
import { brandingPath, maxSizeOf, MAX_PICTURES } from '../../../domain/settings/branding.ts'

/** Translates between the document and store.json. */
export interface StoreCodec {
  encode(document: Readonly<StoreDocument>): Promise<Uint8Array>
  /** Migrates an old document. @throws STORE_INVALID if it is damaged, or from a newer filemgr */
  decode(bytes: Uint8Array): Readonly<StoreDocument>
}

/** A backup that has been validated. */
export interface Backup {
  readonly manifest: BackupManifest
  readonly document: Readonly<StoreDocument>
  /** Files by name: "custom.css", "img/logo.svg". */
  readonly branding: ReadonlyMap<string, Uint8Array>
}

const checkManifest = createSchemaCheck(BackupManifest)

/**
 * Reads and validates a whole backup, without writing anything.
 *
 * @throws INVALID_INPUT describing the problem; TOO_LARGE
 */
export async function readBackup(stream: AsyncIterable<Uint8Array>, codec: StoreCodec): Promise<Backup> {
  const files = new Map<string, Uint8Array>()
  for await (const { name, bytes } of readTar(stream, { ...BACKUP_LIMITS, limitOf: limitOfBackupFile })) {
    if (files.has(name)) fail('INVALID_INPUT', `the backup contains ${name} twice`)
    files.set(name, bytes)
  }
  const manifest = manifestOf(files)
  files.delete(MANIFEST_FILE)
  requireListed(files, manifest)
  const store = files.get(STORE_FILE) ?? fail('INVALID_INPUT', `the backup does not contain ${STORE_FILE}`)
  const branding = [...files].filter(([name]) => name.startsWith(BRANDING_PREFIX))
  return {
    manifest,
    document: decoded(store, codec),
    branding: new Map(branding.map(([name, bytes]) => [name.slice(BRANDING_PREFIX.length), bytes])),
  }
}

function manifestOf(files: ReadonlyMap<string, Uint8Array>): BackupManifest {
  const bytes = files.get(MANIFEST_FILE) ?? fail('INVALID_INPUT', 'the backup is not complete: its manifest is missing')
  const parsed = parse(bytes)
  const format = isRecord(parsed) ? parsed['format'] : undefined
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    fail('INVALID_INPUT', `the backup was made by a newer filemgr (format ${format}); upgrade this one first`)
  }
  return checkManifest(parsed)
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown
  } catch {
    return fail('INVALID_INPUT', 'the backup is damaged: its manifest is not JSON')
  }
}

function requireListed(files: ReadonlyMap<string, Uint8Array>, { files: listed }: BackupManifest): void {
  for (const { name, size, sha256 } of listed) {
    const bytes = files.get(name) ?? fail('INVALID_INPUT', `the backup is not complete: ${name} is missing`)
    if (bytes.length !== size || digestOf(bytes) !== sha256) fail('INVALID_INPUT', `the backup is damaged: ${name}`)
  }
  if (files.size !== listed.length) fail('INVALID_INPUT', 'the backup contains files that its manifest does not list')
}

function decoded(bytes: Uint8Array, codec: StoreCodec): Readonly<StoreDocument> {
  try {
    return codec.decode(bytes)
  } catch (error) {
    if (!isFilemgrError(error, 'STORE_INVALID')) throw error
    return fail('INVALID_INPUT', `the backup cannot be used: ${error.message}`, {}, { cause: error })
  }
}

export interface BackupContent {
  /** The content of store.json. */
  readonly store: Uint8Array
  readonly branding: AsyncIterable<{ readonly name: string; readonly bytes: Uint8Array }>
  /** Version of this filemgr. */
  readonly version: string
  readonly now: Date
}

/** Streams a backup: a tar with the files, then a manifest with their digests. */
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

/** SHA-256 in hexadecimal, as in the manifest. */
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const STORE_FILE = 'store.json'
const MANIFEST_FILE = 'manifest.json'
const BRANDING_PREFIX = 'branding/'

const MEBIBYTE = 1024 * 1024
const MAX_STORE_SIZE = 64 * MEBIBYTE

const BACKUP_LIMITS = { files: MAX_PICTURES + 3, bytes: MAX_STORE_SIZE + 160 * MEBIBYTE }

/**
 * The maximum size in bytes of a file in a backup. Only known names are accepted: the attack is a name such as
 * "../../etc/cron.d/x".
 *
 * @throws INVALID_INPUT for any other name
 */
function limitOfBackupFile(name: string): number {
  if (name === STORE_FILE) return MAX_STORE_SIZE
  if (name === MANIFEST_FILE) return MEBIBYTE
  const path = name.startsWith(BRANDING_PREFIX) ? brandingPath(name.slice(BRANDING_PREFIX.length)) : undefined
  if (path === undefined) fail('INVALID_INPUT', 'this is not a filemgr backup: it contains an unexpected file')
  return maxSizeOf(path)
}

import { brandingPath, largestOf, MOST_PICTURES } from '../../domain/branding.ts'
import { fail } from '../../domain/errors.ts'

export const STORE_FILE = 'store.json'
export const MANIFEST_FILE = 'manifest.json'
export const BRANDING_PREFIX = 'branding/'

const MEBIBYTE = 1024 * 1024
const LARGEST_STORE = 64 * MEBIBYTE

/** What a whole backup may hold. */
export const BACKUP_LIMITS = { files: MOST_PICTURES + 3, bytes: LARGEST_STORE + 160 * MEBIBYTE }

/**
 * Bytes that a file in a backup may have. Every name that is possible is known, so that none can lead anywhere else, such
 * as "../../etc/cron.d/x".
 *
 * @throws INVALID_INPUT for any other name
 */
export function limitOfBackupFile(name: string): number {
  if (name === STORE_FILE) return LARGEST_STORE
  if (name === MANIFEST_FILE) return MEBIBYTE
  const path = name.startsWith(BRANDING_PREFIX) ? brandingPath(name.slice(BRANDING_PREFIX.length)) : undefined
  if (path === undefined) fail('INVALID_INPUT', 'this is no backup of filemgr: it holds a file that none has')
  return largestOf(path)
}

import { fail } from '../../domain/errors.ts'
import { type BoltBucket, readBolt } from '../../platform/boltdb/read-boltdb.ts'
import { type OldInstallation, oldRecord, type OldRecord } from './old-record.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'

/** Prefix of the internal names of storm, File Browser's database library. */
const STORM_INTERNAL = '__storm_'

/**
 * Reads a database of File Browser 2.
 *
 * @throws INVALID_INPUT if it is damaged, or was written by another program or by File Browser 1
 */
export function fromDatabase(bytes: Uint8Array): OldInstallation {
  const database = readBolt(bytes)
  const config = bucketOf(database, 'config')
  const settings = config && recordsOf(config, 'config').get('settings')
  if (config === undefined || settings === undefined) {
    const advice = 'open a database of File Browser 1 with release 2 first, which converts it'
    fail('INVALID_INPUT', `the database has no settings of File Browser 2; ${advice}`)
  }
  const records = recordsOf(config, 'config')
  const all = (name: string) => {
    const bucket = bucketOf(database, name)
    return bucket === undefined ? [] : [...recordsOf(bucket, name).values()]
  }
  return {
    settings,
    server: records.get('server'),
    auther: records.get('auther'),
    users: all('User'),
    links: all('Link'),
  }
}

function bucketOf({ buckets }: BoltBucket, name: string): BoltBucket | undefined {
  return buckets.find(({ key }) => latin(key) === name)?.bucket
}

/** The records of a bucket by their keys. Values that are not records, such as a version, are left out. */
function recordsOf(bucket: BoltBucket, name: string): Map<string, OldRecord> {
  requireJson(bucket, name)
  const records = new Map<string, OldRecord>()
  for (const { key, value } of bucket.values) {
    const parsed = latin(key).startsWith(STORM_INTERNAL) ? undefined : parse(value, name)
    if (typeof parsed === 'object') records.set(latin(key), oldRecord(parsed, `a record in ${name}`))
  }
  return records
}

function requireJson(bucket: BoltBucket, name: string): void {
  const metadata = bucketOf(bucket, `${STORM_INTERNAL}metadata`)
  const codec = metadata?.values.find(({ key }) => latin(key) === 'codec')
  const found = codec && latin(codec.value)
  if (found !== undefined && found !== 'json') {
    fail('INVALID_INPUT', `the records in ${name} are stored as "${found.slice(0, 20)}", not as JSON`)
  }
}

function parse(value: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)) as unknown
  } catch {
    // The parser's message is left out: it quotes the record, which contains password hashes.
    return fail('INVALID_INPUT', `the database is damaged: a record in ${name} is not JSON`)
  }
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * Reads a file written by `config export` (an object) or `users export` (a list).
 *
 * @throws INVALID_INPUT if it is neither
 */
export function fromExport(value: unknown): OldInstallation {
  if (Array.isArray(value) && value.length > 0) {
    return { users: value.map((user: unknown, index) => exportedUser(user, index)), links: [] }
  }
  const record = isRecord(value) ? oldRecord(value, 'the file') : {}
  const { settings, server, auther } = record
  if (!isRecord(settings) || !isRecord(server)) {
    fail(
      'INVALID_INPUT',
      'this is neither a database of File Browser nor a file written by its "config export" or "users export"',
    )
  }
  return { settings, server, auther: isRecord(auther) ? auther : undefined, users: [], links: [] }
}

function exportedUser(value: unknown, index: number) {
  const user = oldRecord(value, `entry ${index + 1} of the list`)
  if ('username' in user) return user
  return fail('INVALID_INPUT', `entry ${index + 1} of the list is not a user: it has no username`)
}

/** Combines several files of one installation. @throws INVALID_INPUT if two of them contain settings, or users */
export function combined(parts: readonly OldInstallation[]): OldInstallation {
  const [settings, another] = parts.filter((part) => part.settings !== undefined)
  if (another !== undefined) fail('INVALID_INPUT', 'two of the files contain settings; name files of one installation')
  const lists = parts.filter((part) => part.users.length > 0)
  if (lists.length > 1) fail('INVALID_INPUT', 'two of the files contain users; name files of one installation')
  return {
    settings: settings?.settings,
    server: settings?.server,
    auther: settings?.auther,
    users: lists[0]?.users ?? [],
    links: parts.flatMap(({ links }) => links),
  }
}

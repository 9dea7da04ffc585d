import { fail } from '../../domain/errors.ts'
import { type BoltBucket, readBolt } from '../../platform/boltdb/read-boltdb.ts'
import { type OldInstallation, oldRecord, type OldRecord } from './old-record.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'

/** Names that the library of File Browser's database uses for itself. */
const OF_THE_LIBRARY = '__storm_'

/**
 * What a database of File Browser 2 says.
 *
 * @throws INVALID_INPUT when it is damaged, or another program's, or of File Browser 1
 */
export function fromDatabase(bytes: Uint8Array): OldInstallation {
  const database = readBolt(bytes)
  const config = bucketOf(database, 'config')
  const settings = config && recordsOf(config, 'config').get('settings')
  if (config === undefined || settings === undefined) {
    const advice = 'a database of File Browser 1 has to be opened once by a release 2 before'
    fail('INVALID_INPUT', `the database holds no settings of File Browser 2; ${advice}`)
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

/** The records of a bucket by their keys. Single values, such as a version, are left out. */
function recordsOf(bucket: BoltBucket, name: string): Map<string, OldRecord> {
  requireJson(bucket, name)
  const records = new Map<string, OldRecord>()
  for (const { key, value } of bucket.values) {
    const parsed = latin(key).startsWith(OF_THE_LIBRARY) ? undefined : parse(value, name)
    if (typeof parsed === 'object') records.set(latin(key), oldRecord(parsed, `a record in ${name}`))
  }
  return records
}

function requireJson(bucket: BoltBucket, name: string): void {
  const metadata = bucketOf(bucket, `${OF_THE_LIBRARY}metadata`)
  const codec = metadata?.values.find(({ key }) => latin(key) === 'codec')
  const found = codec && latin(codec.value)
  if (found !== undefined && found !== 'json') {
    fail('INVALID_INPUT', `the records in ${name} are kept as "${found.slice(0, 20)}", not as JSON`)
  }
}

function parse(value: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)) as unknown
  } catch {
    // The message of the parser quotes the record, hashes and all.
    return fail('INVALID_INPUT', `the database is damaged: a record in ${name} is not JSON`)
  }
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/**
 * What a file of `config export` or `users export` says; which of the two it is shows in its shape.
 *
 * @throws INVALID_INPUT when it is neither
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
      'this is neither a database of File Browser nor what its "config export" or "users export" wrote',
    )
  }
  return { settings, server, auther: isRecord(auther) ? auther : undefined, users: [], links: [] }
}

function exportedUser(value: unknown, index: number) {
  const user = oldRecord(value, `entry ${index + 1} of the list`)
  if ('username' in user) return user
  return fail('INVALID_INPUT', `entry ${index + 1} of the list is no user: it has no username`)
}

/** Several files of one installation as one. @throws INVALID_INPUT when two of them say the same */
export function combined(parts: readonly OldInstallation[]): OldInstallation {
  const [settings, another] = parts.filter((part) => part.settings !== undefined)
  if (another !== undefined) fail('INVALID_INPUT', 'two of the files hold settings; name the files of one installation')
  const lists = parts.filter((part) => part.users.length > 0)
  if (lists.length > 1) fail('INVALID_INPUT', 'two of the files hold users; name the files of one installation')
  return {
    settings: settings?.settings,
    server: settings?.server,
    auther: settings?.auther,
    users: lists[0]?.users ?? [],
    links: parts.flatMap(({ links }) => links),
  }
}

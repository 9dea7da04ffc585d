import { fail } from '../../domain/errors.ts'
import { readBolt, type BoltBucket } from '../../platform/bolt/read-bolt.ts'
import { oldRecord, type OldInstallation, type OldRecord } from './old-record.ts'

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

import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import type { BoltBucket } from '../boltdb/read-boltdb.ts'

/** Prefix of the internal names of storm, the database library of File Browser. */
const STORM_INTERNAL = '__storm_'

export function bucketOf({ buckets }: BoltBucket, name: string): BoltBucket | undefined {
  return buckets.find(({ key }) => latin(key) === name)?.bucket
}

/**
 * The parsed values of a bucket by their keys; none if there is no such bucket.
 *
 * @throws INVALID_INPUT if a value is not JSON
 */
export function stormValues(database: BoltBucket, name: string): Map<string, unknown> {
  const bucket = bucketOf(database, name)
  const values = new Map<string, unknown>()
  if (bucket === undefined) return values
  requireJson(bucket, name)
  for (const { key, value } of bucket.values) {
    if (!latin(key).startsWith(STORM_INTERNAL)) values.set(latin(key), parse(value, name))
  }
  return values
}

/**
 * The records of a bucket by their keys. Texts and numbers, such as a version, are left out.
 *
 * @throws INVALID_INPUT if a value is damaged
 */
export function stormRecords(database: BoltBucket, name: string): Map<string, Record<string, unknown>> {
  const records = new Map<string, Record<string, unknown>>()
  for (const [key, value] of stormValues(database, name)) {
    if (isRecord(value)) records.set(key, value)
    else if (typeof value === 'object') fail('INVALID_INPUT', `a record in ${name} is not a record`)
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

import { SNIFFED_BYTES } from '../../domain/files/media/media-type.ts'
import type { ResourceType } from '../../domain/files/resource-type.ts'
import { needsContent, typeOfFile } from '../wire-format.ts'
import type { Bucket, Glance } from './bucket.ts'
import { wholeOf } from './client.ts'
import type { ListedObject, StoredObject } from './stored-object.ts'

/** What a listing does not tell about a file. */
export interface FileDetails {
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Undefined if the content was not read. */
  readonly type: ResourceType | undefined
}

/** Entries, of about 200 bytes each. */
const MAX_KEPT = 100_000
/** Milliseconds for which the time of a folder is cached; S3 does not tell when it changes. */
const FOLDER_TTL = 60_000

/**
 * Caches the times and types of files, each of which needs a request. A cached entry is valid as long as the object is the
 * same, so only the first listing of a folder is slow.
 */
export class DetailsCache {
  readonly #bucket: Bucket
  readonly #kept = new Map<string, FileDetails & { readonly state: string }>()

  constructor(bucket: Bucket) {
    this.#bucket = bucket
  }

  /** Undefined if a request is necessary. */
  known(object: ListedObject, isSniffing: boolean): FileDetails | undefined {
    const kept = this.#kept.get(object.key)
    if (kept?.state !== stateOf(object) || (isSniffing && kept.type === undefined)) return undefined
    return kept
  }

  /** A `StoredObject` needs no request for its time. Undefined if the file no longer exists. */
  async get(object: ListedObject | StoredObject, name: string, isSniffing: boolean): Promise<FileDetails | undefined> {
    const known = this.known(object, isSniffing)
    if (known !== undefined) return known
    const { key, size } = object
    if (!isSniffing || size === 0 || !needsContent(name, size)) {
      const head = 'modified' in object ? object : await this.#bucket.head(key)
      return (
        head && this.#keep(object, { modified: head.modified, type: isSniffing ? typeOfBytes(name, size) : undefined })
      )
    }
    const start = await startOf(this.#bucket, key, size)
    return start && this.#keep(object, { modified: start.modified, type: typeOfBytes(name, size, start.bytes) })
  }

  /** The time of a folder: that of its marker, or else of its first file. */
  async folderTime(key: string, now: number): Promise<bigint> {
    const kept = this.#kept.get(key)
    if (kept !== undefined && now - Number(kept.state) < FOLDER_TTL) return kept.modified
    const marker = key === '' ? undefined : await this.#bucket.head(key)
    const modified = marker?.modified ?? (await this.#bucket.first(key))?.stored ?? 0n
    this.#put(key, { modified, type: undefined, state: String(now) })
    return modified
  }

  #keep(object: ListedObject, details: FileDetails): FileDetails {
    this.#put(object.key, { ...details, state: stateOf(object) })
    return details
  }

  #put(key: string, details: FileDetails & { readonly state: string }): void {
    // Deleted first, because the map is in insertion order and its oldest entry is evicted.
    this.#kept.delete(key)
    this.#kept.set(key, details)
    if (this.#kept.size > MAX_KEPT) for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest)
  }
}

/** Identifies a state of an object. Uses whole seconds, because some responses have no more. */
function stateOf({ etag, stored, size }: ListedObject): string {
  return `${etag} ${stored / 1_000_000_000n} ${size}`
}

/** The type of a file, by its first bytes if there are any. */
function typeOfBytes(name: string, size: number, bytes: Uint8Array = new Uint8Array()): ResourceType {
  return typeOfFile({ name, size, start: () => bytes, canModify: true })
}

async function startOf(
  bucket: Bucket,
  key: string,
  size: number,
): Promise<{ modified: bigint; bytes: Uint8Array } | undefined> {
  const found = await bucket.get(key, { span: { start: 0, end: Math.min(SNIFFED_BYTES, size) } })
  if (found === undefined) return undefined
  const bytes = await wholeOf(found.body)
  return { modified: found.object.modified, bytes }
}

/** Milliseconds. */
const TTL = 1000

/**
 * What a request has just seen. A service looks whether something exists and then calls an operation, whose own first look would
 * see the same. Each look serves once, never for a judgement, and none after a change.
 */
export class JustSeen {
  readonly #seen = new Map<string, { readonly glance: Glance; readonly until: number }>()

  put(key: string, glance: Glance): void {
    this.#seen.set(key, { glance, until: performance.now() + TTL })
  }

  take(key: string): Glance | undefined {
    const seen = this.#seen.get(key)
    this.#seen.delete(key)
    return seen !== undefined && performance.now() < seen.until ? seen.glance : undefined
  }

  forget(): void {
    this.#seen.clear()
  }
}

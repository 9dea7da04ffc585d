import { createHash } from 'node:crypto'
import { fail } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/files/upload.ts'
import type { Lease, Records } from '../../store/store.ts'

const MAX_PER_USER = 32
/** Visitors of one link, who must not use up what its owner may do. */
const MAX_PER_LINK = 128
const MAX_TOTAL = 1000
/** Finished uploads to remember; beyond that, the oldest is forgotten. */
const MAX_FINISHED = 1000

/** The key of an upload: the path of the file; for visitors of a link, who must learn nothing from names, its id. */
export type UploadKey = Pick<UploadRecord, 'userId' | 'scope' | 'path' | 'link'> & { readonly id?: string }

/** One text per target path, or per upload by a link. */
function keyOf({ userId, scope, path, link, id }: UploadKey): string {
  return JSON.stringify(link === undefined ? [userId, scope, path] : [link, id])
}

/** Whom it counts against. */
function counterOf({ userId, link }: UploadKey): string {
  return link ?? `user ${userId}`
}

/** The records of uploads: those that are unfinished, and for a while those that are finished. */
export class OpenUploads {
  readonly #records: Records<UploadRecord>
  /** Uploads that are starting. */
  readonly #places = new Set<UploadKey>()
  /** Uploads that this process finished, oldest first. */
  readonly #finished = new Map<string, UploadRecord>()

  constructor(records: Records<UploadRecord>) {
    this.#records = records
  }

  async all(): Promise<UploadRecord[]> {
    return await this.#records.list()
  }

  /** The newest: an older one of the same file was left by a daemon that was killed while it replaced an upload. */
  async find({ path, userId, scope, link, id = '' }: UploadKey): Promise<UploadRecord | undefined> {
    const wanted = link === undefined ? { path, userId, scope, link } : { link, id }
    const found = await this.#records.list(wanted)
    return found.toSorted((a, b) => a.created - b.created).at(-1)
  }

  /** False if another upload has replaced it. */
  async isCurrent(record: UploadRecord): Promise<boolean> {
    return (await this.find(record))?.id === record.id
  }

  /**
   * Reserves a slot for an unfinished upload until it is disposed; by then the record exists. Concurrent requests cannot get more
   * slots than there are.
   *
   * @throws RATE_LIMITED if there are too many uploads, not counting the one that this would replace
   */
  async takePlace(key: UploadKey): Promise<Disposable> {
    if (!(await this.#tryPlace(key))) {
      // The command line may have removed some.
      this.#records.reload?.()
      if (!(await this.#tryPlace(key)))
        fail('RATE_LIMITED', 'too many uploads are unfinished: finish or cancel some first', { retryAfter: 60 })
    }
    return { [Symbol.dispose]: () => void this.#places.delete(key) }
  }

  /**
   * Replaces the record of this id. For a new upload before there is a file, so that none is ever left behind without one.
   *
   * @param lease that of the upload. @throws STORE_BUSY if it is lost
   */
  async save(record: UploadRecord, lease: Pick<Lease, 'fence'>): Promise<void> {
    await this.#records.put(record, lease)
  }

  async drop(record: UploadRecord): Promise<void> {
    await this.#records.remove(record.id)
    this.#finished.delete(record.id)
  }

  /** Tries again to save the records that the disk had no room for. */
  async flush(): Promise<void> {
    await this.#records.flush()
  }

  /** Remembers finished uploads: a client that lost the last reply asks again and must learn that its upload is complete. */
  async rememberFinished(record: UploadRecord): Promise<void> {
    this.#finished.set(record.id, record)
    const [oldest] = this.#finished.values()
    if (this.#finished.size > MAX_FINISHED && oldest !== undefined) await this.drop(oldest)
  }

  async #tryPlace(key: UploadKey): Promise<boolean> {
    // Those that end meanwhile have a record that the list may not contain yet.
    const before = [...this.#places]
    const unfinished = await this.#records.list({ finished: undefined })
    // No await from here on: the next request must see this slot taken.
    const all = [...unfinished, ...before, ...this.#places]
    if (!hasRoom(new Map(all.map((each) => [keyOf(each), counterOf(each)])), key)) return false
    this.#places.add(key)
    return true
  }
}

/** @param taken whom each file with an unfinished upload counts against */
function hasRoom(taken: ReadonlyMap<string, string>, key: UploadKey): boolean {
  const others = [...taken].filter(([other]) => other !== keyOf(key))
  const most = key.link === undefined ? MAX_PER_USER : MAX_PER_LINK
  return others.length < MAX_TOTAL && others.filter(([, counter]) => counter === counterOf(key)).length < most
}

/** The lease of an upload: one request works on it at a time. Of fixed length, since a database limits names. */
export function leaseOf(key: UploadKey): string {
  return `upload/${createHash('sha256').update(keyOf(key)).digest('base64url')}`
}

/** Why a request asks the one before it to let go of an upload. */
export type Takeover =
  | { readonly kind: 'anew' }
  /** It goes on from an offset, if it says so; bytes that have come after that are dropped. */
  | { readonly kind: 'resume'; readonly from?: number | undefined }

/** How long an upload may wait for its next byte, in milliseconds. */
export const UPLOAD_IDLE = 24 * 60 * 60 * 1000

/** How long a finished upload is remembered, in milliseconds. */
export const REMEMBERED = 60 * 60 * 1000

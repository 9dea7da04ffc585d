import { fail } from '../../domain/errors.ts'
import type { UploadRecord } from '../../domain/files/upload.ts'
import type { Records } from '../../store/store.ts'

const MAX_PER_USER = 32
const MAX_TOTAL = 1000
/** Finished uploads to remember; beyond that, the oldest is forgotten. */
const MAX_FINISHED = 1000

/** The key of an upload: its address is the path of the file. */
export type UploadKey = Pick<UploadRecord, 'userId' | 'scope' | 'path'>

/** One text per target path. */
export function keyOf({ userId, scope, path }: UploadKey): string {
  return [userId, scope, path].join('\0')
}

interface Known {
  readonly byKey: Map<string, UploadRecord>
  /** Older records of the same file, left by a daemon that was killed while it replaced an upload. */
  readonly stale: Map<string, UploadRecord>
}

/** The records of uploads: those that are unfinished, and for a while those that are finished. */
export class OpenUploads {
  readonly #records: Records<UploadRecord>
  #loading: Promise<Known> | undefined
  /** Uploads that are starting. */
  readonly #places = new Set<UploadKey>()
  /** Uploads that this process finished, oldest first. */
  readonly #finished = new Map<string, UploadRecord>()

  constructor(records: Records<UploadRecord>) {
    this.#records = records
  }

  async all(): Promise<UploadRecord[]> {
    const { byKey, stale } = await this.#known()
    return [...byKey.values(), ...stale.values()]
  }

  async find(key: UploadKey): Promise<UploadRecord | undefined> {
    return (await this.#known()).byKey.get(keyOf(key))
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
    if (!this.#hasRoom(await this.#known(), key)) await this.#dropRemoved()
    // No await from here on: the next request must see this slot taken.
    if (!this.#hasRoom(await this.#known(), key))
      fail('RATE_LIMITED', 'too many uploads are unfinished: finish or cancel some first', { retryAfter: 60 })
    this.#places.add(key)
    return { [Symbol.dispose]: () => void this.#places.delete(key) }
  }

  /** Puts a record on the disk before there is a file, so that no file is ever left behind without one. */
  async announce(record: UploadRecord): Promise<void> {
    await this.#records.put(record)
  }

  /** Makes the announced record effective. */
  async enter(record: UploadRecord): Promise<void> {
    const { byKey } = await this.#known()
    byKey.set(keyOf(record), record)
  }

  /** Replaces the record of this id. */
  async save(record: UploadRecord): Promise<void> {
    await this.#records.put(record)
    await this.enter(record)
  }

  async drop(record: UploadRecord): Promise<void> {
    const { byKey, stale } = await this.#known()
    await this.#records.remove(record.id)
    stale.delete(record.id)
    this.#finished.delete(record.id)
    if (byKey.get(keyOf(record))?.id === record.id) byKey.delete(keyOf(record))
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

  #hasRoom({ byKey }: Known, key: UploadKey): boolean {
    const taken = new Map<string, number>()
    for (const record of byKey.values()) if (record.finished === undefined) taken.set(keyOf(record), record.userId)
    for (const place of this.#places) taken.set(keyOf(place), place.userId)
    taken.delete(keyOf(key))
    const own = [...taken.values()].filter((userId) => userId === key.userId).length
    return own < MAX_PER_USER && taken.size < MAX_TOTAL
  }

  /** Forgets uploads that the command line has removed. */
  async #dropRemoved(): Promise<void> {
    const { byKey } = await this.#known()
    const before = [...byKey]
    const ids = new Set((await this.#records.list()).map(({ id }) => id))
    for (const [key, record] of before) {
      if (!ids.has(record.id) && byKey.get(key)?.id === record.id) byKey.delete(key)
    }
  }

  #known(): Promise<Known> {
    this.#loading ??= this.#records.list().then(knownOf, (error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }
}

function knownOf(records: readonly UploadRecord[]): Known {
  const known: Known = { byKey: new Map(), stale: new Map() }
  for (const record of records.toSorted((a, b) => a.created - b.created)) {
    const older = known.byKey.get(keyOf(record))
    if (older !== undefined) known.stale.set(older.id, older)
    known.byKey.set(keyOf(record), record)
  }
  return known
}

/** Exclusive access to an upload until disposed of. */
export interface UploadTurn extends Disposable {
  /** Aborted when another request asks for this upload, with that request's reason. */
  readonly signal: AbortSignal
}

/**
 * One request at a time for each upload. A new request stops the current one: it comes from a client that lost its connection,
 * while the server still waits for bytes on the old one.
 */
export class UploadTurns {
  readonly #last = new Map<string, { stop: AbortController; over: Promise<void> }>()

  /** @param reason the abort reason for the request that holds the turn */
  async take(key: string, reason: unknown): Promise<UploadTurn> {
    const stop = new AbortController()
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(key)
    const mine = { stop, over }
    this.#last.set(key, mine)
    before?.stop.abort(reason)
    await before?.over
    return {
      signal: stop.signal,
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === mine) this.#last.delete(key)
        resolve()
      },
    }
  }

  isBusy(key: string): boolean {
    return this.#last.has(key)
  }
}

/** How long an upload may wait for its next byte, in milliseconds. */
export const UPLOAD_IDLE = 24 * 60 * 60 * 1000

/** How long a finished upload is remembered, in milliseconds. */
export const REMEMBERED = 60 * 60 * 1000

import { createHash } from 'node:crypto'
import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { bytesOfText } from '../../domain/files/name-text.ts'
import { MAX_FAMILIES, type UploadRecord } from '../../domain/uploads/upload.ts'
import type { SessionFamily } from '../../domain/ids.ts'
import type { Lease, Records } from '../../store/store.ts'

const MAX_PER_USER = 32
/** By visitors of one link. A limit of its own, so that visitors do not use up the limit of the owner. */
const MAX_PER_LINK = 128
/** By visitors with the same address, by any links: one visitor must not use up what a link, or the server, takes. */
const MAX_PER_SENDER = 32
/** By all visitors, so that they leave room for users. */
const MAX_BY_LINKS = 500
const MAX_TOTAL = 1000
/** Finished uploads of users, and of visitors, to remember; beyond that, the oldest is forgotten. */
const MAX_FINISHED = 1000

/** Identifies an upload by its path; for visitors of a link by its id, so that they learn nothing about names. */
export type UploadKey = Pick<UploadRecord, 'userId' | 'scope' | 'path' | 'grant' | 'link' | 'sender'> & {
  readonly id?: string
}

/** Unique for each target path, or for each upload by a link. */
function keyOf({ userId, scope, path, grant, link, id }: UploadKey): string {
  if (link !== undefined) return JSON.stringify([link, id])
  return JSON.stringify([userId, scope, path, ...(grant === undefined ? [] : [grant])])
}

/** The user or link whose limit an upload counts towards. */
function counterOf({ userId, link }: UploadKey): string {
  return link ?? `user ${userId}`
}

/** The records of unfinished uploads, and for a while those of finished ones. */
export class OpenUploads {
  readonly #records: Records<UploadRecord>
  /** Uploads that are starting. */
  readonly #slots = new Set<UploadKey>()
  /** Uploads of users, and of visitors, that this process finished, oldest first. */
  readonly #finished = { user: new Map<string, UploadRecord>(), visitor: new Map<string, UploadRecord>() }

  constructor(records: Records<UploadRecord>) {
    this.#records = records
  }

  async all(): Promise<UploadRecord[]> {
    return await this.#records.list()
  }

  /** The unfinished ones that visitors send. */
  async ofVisitors(): Promise<UploadRecord[]> {
    return (await this.#records.list({ finished: undefined })).filter(({ link }) => link !== undefined)
  }

  /** The newest: an older one of the same file was left by a daemon that was killed while it replaced an upload. */
  async find({ path, userId, scope, grant, link, id = '' }: UploadKey): Promise<UploadRecord | undefined> {
    const filter = link === undefined ? { path, userId, scope, grant, link } : { link, id }
    const found = await this.#records.list(filter)
    return found.toSorted((a, b) => a.created - b.created).at(-1)
  }

  async withId(id: string): Promise<UploadRecord | undefined> {
    return (await this.#records.list({ id }))[0]
  }

  /** False if another upload has replaced it. */
  async isCurrent(record: UploadRecord): Promise<boolean> {
    return (await this.find(record))?.id === record.id
  }

  /**
   * Reserves a slot for an unfinished upload, so that concurrent requests cannot exceed the limits. Dispose of it once the record
   * exists.
   *
   * @param makeRoom discards what has expired or was refused, if there are too many
   * @throws RATE_LIMITED if there are too many uploads, not counting the one that this would replace
   */
  async takeSlot(key: UploadKey, makeRoom?: (key: UploadKey) => Promise<void>): Promise<Disposable> {
    if (!(await this.#trySlot(key))) {
      // The command line may have removed some.
      this.#records.reload?.()
      await makeRoom?.(key)
      if (!(await this.#trySlot(key))) failFull()
    }
    return { [Symbol.dispose]: () => void this.#slots.delete(key) }
  }

  /** As `takeSlot`, for a caller that holds a lease on all begins: counts only what is saved. @throws RATE_LIMITED */
  async requireRoom(key: UploadKey): Promise<void> {
    if (!hasRoom(byKey(await this.#records.list({ finished: undefined })), key)) failFull()
  }

  /**
   * Saves the record. For a new upload, call it before creating the file, so that no file is ever left without a record.
   *
   * @param lease of the upload
   * @throws STORE_BUSY if the lease is lost
   */
  async save(record: UploadRecord, lease: Pick<Lease, 'fence'>): Promise<void> {
    await this.#records.put(record, lease)
  }

  async drop(record: UploadRecord): Promise<void> {
    await this.#records.remove(record.id)
    for (const finished of Object.values(this.#finished)) finished.delete(record.id)
  }

  /** Tries again to save the records that the disk had no room for. */
  async flush(): Promise<void> {
    await this.#records.flush()
  }

  /**
   * Remembers finished uploads: a client that lost the last reply asks again and must learn that its upload is complete. Those of
   * visitors are counted apart: the attack is to push out those of users with a thousand empty files.
   */
  async rememberFinished(record: UploadRecord): Promise<void> {
    const finished = this.#finished[record.link === undefined ? 'user' : 'visitor']
    finished.set(record.id, record)
    const [oldest] = finished.values()
    if (finished.size > MAX_FINISHED && oldest !== undefined) await this.drop(oldest)
  }

  /** Whether this process has put it in place. False if it is not remembered, or another one has. */
  hasPlaced({ id, link }: UploadRecord): boolean {
    return this.#finished[link === undefined ? 'user' : 'visitor'].has(id)
  }

  async #trySlot(key: UploadKey): Promise<boolean> {
    // Slots that are disposed of meanwhile have a record that the list may not contain yet.
    const before = [...this.#slots]
    const unfinished = await this.#records.list({ finished: undefined })
    // No await from here on: the next request must see this slot taken.
    if (!hasRoom(byKey([...unfinished, ...before, ...this.#slots]), key)) return false
    this.#slots.add(key)
    return true
  }
}

function byKey(uploads: readonly UploadKey[]): ReadonlyMap<string, UploadKey> {
  return new Map(uploads.map((each) => [keyOf(each), each]))
}

function failFull(): never {
  fail('RATE_LIMITED', 'too many uploads are unfinished: finish or cancel some first', { retryAfter: 60 })
}

/** @param taken the unfinished uploads by their keys */
function hasRoom(taken: ReadonlyMap<string, UploadKey>, key: UploadKey): boolean {
  const others = [...taken].filter(([other]) => other !== keyOf(key)).map(([, other]) => other)
  const fewerThan = (limit: number, counts: (other: UploadKey) => boolean) => others.filter(counts).length < limit
  const isCounted = (other: UploadKey) => counterOf(other) === counterOf(key)
  if (!fewerThan(MAX_TOTAL, () => true)) return false
  if (key.link === undefined) return fewerThan(MAX_PER_USER, isCounted)
  return (
    fewerThan(MAX_PER_LINK, isCounted) &&
    fewerThan(MAX_BY_LINKS, ({ link }) => link !== undefined) &&
    (key.sender === undefined || fewerThan(MAX_PER_SENDER, ({ sender }) => sender === key.sender))
  )
}

/** The name of the lease of an upload, on which one request works at a time. Of fixed length, since a database limits names. */
export function leaseOf(key: UploadKey): string {
  return `upload/${createHash('sha256')
    .update(bytesOfText(keyOf(key)))
    .digest('base64url')}`
}

/** Why a request takes an upload over from an earlier one. */
export type Takeover =
  | { readonly kind: 'anew' }
  /** It continues; if it names an offset, bytes that have arrived after that are dropped. */
  | { readonly kind: 'resume'; readonly from?: number | undefined }
  /** It cancels the upload of somebody else. */
  | { readonly kind: 'cancel' }

const TAKEN_OVER: Readonly<Record<Takeover['kind'], string>> = {
  anew: 'the upload was started again by another request',
  resume: 'another request continues this upload',
  cancel: 'the upload was cancelled',
}

/** What to do with the bytes of a part that breaks off. A new request that starts at the same offset sends them again. */
export function remainderOf(
  { isLost, signal }: Pick<Lease, 'isLost' | 'signal'>,
  offset: number,
): 'keep' | 'drop' | 'leave' {
  if (isLost) return 'leave'
  const takeover = signal.aborted ? (signal.reason as Takeover) : undefined
  return takeover?.kind === 'resume' && takeover.from === offset ? 'drop' : 'keep'
}

/** Fails with CONFLICT if another request took over: the client of this one is still connected, and may ask for the offset. */
export async function orTakenOver<T>({ signal }: Lease, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!signal.aborted || !isFilemgrError(error, 'CANCELLED')) throw error
    if (isFilemgrError(signal.reason)) throw signal.reason
    return fail('CONFLICT', TAKEN_OVER[(signal.reason as Takeover).kind])
  }
}

/** The session that an upload needs; undefined for visitors and API tokens. An expired API token cannot continue an upload. */
export function familyOf(actor: Actor | Visitor): SessionFamily | undefined {
  return actor.kind === 'user' ? actor.session?.family : undefined
}

/** Adds the current device to the record. */
export function withFamily(record: UploadRecord, actor: Actor | Visitor): UploadRecord {
  const family = familyOf(actor)
  if (family === undefined) return record
  const known = record.families ?? []
  return known.includes(family) ? record : { ...record, families: [...known, family].slice(-MAX_FAMILIES) }
}

/** @throws UNAUTHENTICATED for an expired session that neither began nor continued this upload */
export function requireOwnUpload(actor: Actor | Visitor, record: UploadRecord | undefined): void {
  if (actor.kind !== 'user' || actor.isExpired !== true) return
  if (record?.families?.includes(actor.session.family) === true) return
  fail('UNAUTHENTICATED', 'the session has ended; sign in again')
}

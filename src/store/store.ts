import type { ChoreRun } from '../domain/chores.ts'
import type { FilemgrError } from '../domain/errors.ts'
import type { UploadRecord } from '../domain/files/upload.ts'
import type { Job } from '../domain/job.ts'
import type { NodeRecord } from '../domain/node.ts'
import type { BrandingRecord } from '../domain/settings/branding.ts'
import type { WebhookState } from '../domain/webhook.ts'

/**
 * Seam 1: our own data. One document that several processes, or machines, read and change at the same time.
 *
 * `snapshot()` is frozen, synchronous and kept up to date by watching the file or the database; `update()` is the only way to
 * change it.
 */
export interface Store<D extends object> extends AsyncDisposable {
  snapshot(): Readonly<D>
  /**
   * Takes the lock, reads the newest document, lets `change` alter a copy, validates it and writes it durably.
   * Resolves with what `change` returned, after the new document is on the disk and is the snapshot.
   *
   * `change` must be synchronous. Changes requested at the same time share one write, and each sees the ones before it.
   *
   * @throws STORE_BUSY when the lock is not free within 30 s; STORE_INVALID when the file is damaged or cannot be written;
   *         NO_SPACE; INVALID_INPUT when the changed document breaks its schema; CANCELLED when the store is closed; and any
   *         error that `change` throws. In all these cases nothing is written.
   */
  update<T>(change: StoreChange<D, T>): Promise<T>
  /** Called after each new snapshot, whichever process made it. @returns a function that unsubscribes */
  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void
  /**
   * Only where other machines write too. Resolves once the snapshot and the sessions are what they were within the last second.
   *
   * @throws STORE_BUSY while the database is away
   */
  refresh?(): Promise<void>
}

/**
 * @param draft a copy to be changed in any way
 * @param now what it is a copy of, frozen. To read a long list in it, and to make a new one with its records, takes a fraction of
 *        the time that it takes to have the list of the draft, which copies all records
 */
export type StoreChange<D, T> = (draft: D, now: Readonly<D>) => T

/** Small records, each saved on its own, for data that changes too often for one document. */
export interface Records<R> {
  /**
   * Damaged and foreign files are left out.
   *
   * @param where only those whose fields have these values; undefined for a field that must be absent
   */
  list(where?: RecordFilter<R>): Promise<R[]>
  /**
   * Durable when it resolves. While the disk is full, the record is kept in memory and saved with a later put or flush.
   *
   * @param under only if this lease is held in the moment of the write: who was frozen must not overwrite what came after
   * @throws STORE_BUSY if it is lost
   */
  put(record: R, under?: Pick<Lease, 'fence'>): Promise<void>
  /** Durable: a power cut does not bring them back. Ids without a record are ignored. */
  remove(...ids: readonly string[]): Promise<void>
  /** Retries saving the records that the disk had no room for. */
  flush(): Promise<void>
  /** Only where they are kept in memory: the next call reads again what other processes may have changed. */
  reload?(): void
}

export type RecordFilter<R> = { readonly [K in keyof R]?: R[K] | undefined }

/** Records that are all in memory, for fast reads, and saved each on its own, so that a change writes only what it changes. */
export interface Collection<R> extends AsyncDisposable {
  get(id: string): R | undefined
  all(): R[]
  /**
   * Takes effect at once and is durable when it resolves. A removed record stays removed even if the disk refuses: the
   * file is removed with the next change.
   *
   * @throws as `put` of `Records`; the put is then undone. In a database also STORE_BUSY, if another machine changed a record
   *         meanwhile, or it is away; then nothing is removed either
   */
  change(change: CollectionChange<R>): Promise<void>
  /** Called after each change. @returns a function that unsubscribes */
  onChange(listener: (changes: readonly RecordChange<R>[]) => void): () => void
}

export interface CollectionChange<R> {
  readonly put?: readonly R[]
  /** Ids; those without a record are ignored. */
  readonly remove?: readonly string[]
}

/** One record before and after a change; undefined where it does not exist. */
export interface RecordChange<R> {
  readonly before: R | undefined
  readonly now: R | undefined
}

/**
 * Small facts with an end, such as failed sign-ins, that all daemons of a store must know at once. They need not outlive the only
 * daemon, so without a database they are in memory.
 */
export interface SharedFacts {
  /**
   * Runs `change` while nobody else changes the facts under these keys, and keeps what it makes of them. A key begins with the
   * kind of the fact and a slash.
   *
   * @param change synchronous; changes only what is under these keys
   * @throws STORE_BUSY while the database is away, and what `change` throws; then nothing is changed
   */
  change<T>(keys: readonly string[], change: (facts: Facts) => T): Promise<T>
}

export interface Facts {
  /** The time (ms) that counts for all machines, whose clocks may differ. */
  readonly now: number
  /** JSON; undefined if there is none, or it has ended. */
  get(key: string): unknown
  /**
   * @param lifetime milliseconds
   * @param isMinor it may be dropped first if there are too many
   */
  set(key: string, value: object, lifetime: number, isMinor?: boolean): void
  remove(key: string): void
}

/** Names with one holder at a time: of all daemons of a store, or of all calls in the only daemon. */
export interface Leases {
  /** @returns undefined while the name has a holder */
  acquire(name: string): Promise<Lease | undefined>
  /**
   * Asks the holder of the name to let go of it, and waits until it has, or has died. Of several calls, the latest comes last.
   *
   * @param why JSON; the abort reason of the holder's lease
   * @throws STORE_BUSY while the database is away; BUSY if the holder does not let go
   */
  take(name: string, why: object): Promise<Lease>
  /** Names with this beginning that have a holder, or had one that died. */
  list(prefix: string): Promise<LeaseState[]>
}

/** Disposing of it releases the name. Without that, the name is free 15 s after its holder was last heard of. */
export interface Lease extends AsyncDisposable {
  /** Greater than that of each earlier holder of the name. */
  readonly fence: number
  /** Aborted when `take` asks for the name, or when it is lost: then its work must stop at once. */
  readonly signal: AbortSignal
  /** Somebody else may have the name already: nothing may be undone or cleaned up. */
  readonly isLost: boolean
  /** Renews it, before a step that only its holder may take. @throws STORE_BUSY if it is lost */
  renew(): Promise<void>
  /** Gives it up as if its holder had died, for somebody else to finish the work: until then, its name is still listed. */
  abandon(): Promise<void>
}

export interface LeaseState {
  readonly name: string
  /** False if its holder has died: it may be acquired. */
  readonly isHeld: boolean
  /** When it ends unless it is renewed, or when it ended, in milliseconds since 1970. */
  readonly until: number
}

/** What daemons of one store tell each other. Nothing is heard where there is only one. */
export interface Messages {
  /**
   * Tells all other daemons, soon. While the database is away, messages wait; what is too large, or too much, is a gap.
   *
   * @param content JSON, up to `MESSAGE_SIZE` bytes
   * @returns false where there can be no others
   */
  send(kind: string, content: unknown): boolean
  /** @returns a function that unsubscribes */
  subscribe(listener: MessageListener): () => void
}

export interface MessageListener {
  received(kind: string, content: unknown): void
  /** Messages were lost. */
  gap(): void
}

/** Bytes of JSON. PostgreSQL takes 8,000, some of which are ours. */
export const MESSAGE_SIZE = 7500

/** The jobs of all daemons of a store, for those that do not run them. */
export interface JobBoard {
  /**
   * Shows a job of this daemon to the others, from its first state to its last; at a limited rate.
   *
   * @param stop called when somebody cancels it elsewhere, without an error; or when the others take it for dead
   */
  show(job: Job, stop: (error?: FilemgrError) => void): void
  /** Those that other daemons run or ran, oldest first; that of a dead one has failed. @throws STORE_BUSY */
  list(): Promise<Job[]>
  /** @throws STORE_BUSY */
  find(id: string): Promise<Job | undefined>
  /** Asks the daemon that runs it. @throws STORE_BUSY */
  cancel(id: string): Promise<void>
  /** Forgets those that ended more than an hour ago. @throws STORE_BUSY */
  prune(): Promise<void>
  /** Called after changes of jobs of other daemons. @returns a function that unsubscribes */
  onChange(listener: (job: Job) => void): () => void
}

/** What daemons remember of webhooks. Each sends its own events, and those that a daemon leaves that stops or dies. */
export interface WebhookStates {
  /** Durable when it resolves. */
  put(state: WebhookState): Promise<void>
  remove(id: string): Promise<void>
  /** Those that this process has neither put nor adopted. A webhook has one for each daemon. @throws STORE_BUSY */
  others(): Promise<WebhookState[]>
  /**
   * For the daemon: goes on with what is there, and from then on with what other daemons leave.
   *
   * @param adopt adds a state to that of this daemon, and puts it
   */
  follow(adopt: (state: WebhookState) => Promise<void>): Promise<void>
}

/** What the daemons of a store share besides the store. Where there is only one, it is in memory and in its data folder. */
export interface Shared {
  readonly facts: SharedFacts
  readonly leases: Leases
  readonly messages: Messages
  readonly jobBoard: JobBoard
  readonly uploadRecords: Records<UploadRecord>
  readonly webhookStates: WebhookStates
  /** Undefined where the only daemon has them in its data folder. */
  readonly brandingRecords?: Records<BrandingRecord>
  /** Where each daemon shows itself. */
  readonly nodeRecords: Records<NodeRecord>
  /** When the chores were last done. */
  readonly choreRuns: Records<ChoreRun>
}

/** The part of a logger that a store uses. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

import type { AuditEntry } from '../domain/server/audit.ts'
import type { ChoreRun } from '../domain/server/chores.ts'
import type { FilemgrError } from '../domain/errors.ts'
import type { UsageRecord } from '../domain/access/quota.ts'
import type { UploadRecord } from '../domain/uploads/upload.ts'
import type { Job } from '../domain/automation/job.ts'
import type { JobRecord, StepRecord } from '../domain/automation/job-record.ts'
import type { NodeRecord } from '../domain/server/node.ts'
import type { BrandingRecord } from '../domain/settings/branding.ts'
import type { WebhookState } from '../domain/automation/webhook.ts'
import type { NameLocks } from '../platform/limits/name-locks.ts'

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
   *
   * @param witness called before it resolves, with the document before and after this change alone
   */
  update<T>(change: StoreChange<D, T>, witness?: StoreWitness<D>): Promise<T>
  /** Called after each new snapshot, whichever process made it. @returns a function that unsubscribes */
  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void
  /**
   * Only if other machines write too. Resolves once the snapshot and the sessions are new enough.
   *
   * @throws STORE_BUSY while the database is away
   */
  refresh?(limits?: AgeLimits): Promise<void>
}

/** How many milliseconds old a snapshot may be. */
export interface AgeLimits {
  /** Default: a second. With 0, it has everything that was committed before the call. */
  readonly age?: number
  /** While the database is away. Default: none may be used */
  readonly outage?: number
}

/**
 * @param draft a copy to be changed in any way
 * @param now the frozen document that `draft` copies. Reading a long list here, and building a new list from its records, takes a
 *        fraction of the time of reading the list of `draft`, which copies all records
 */
export type StoreChange<D, T> = (draft: D, now: Readonly<D>) => T

export type StoreWitness<D> = (now: Readonly<D>, before: Readonly<D>) => void

/** Small records, each saved on its own, for data that changes too often for one document. */
export interface Records<R> {
  /**
   * Damaged and foreign files are left out.
   *
   * @param where returns only records whose fields have these values; undefined for a field that must be absent
   */
  list(where?: RecordFilter<R>): Promise<R[]>
  /**
   * Durable when it resolves. While the disk is full, the record is kept in memory and saved with a later put or flush.
   *
   * @param under writes only while this lease is held: a process that was frozen must not overwrite what its successor wrote
   * @throws STORE_BUSY if it is lost
   */
  put(record: R, under?: Pick<Lease, 'fence'>): Promise<void>
  /** Durable: a power cut does not bring them back. Ids without a record are ignored. */
  remove(...ids: readonly string[]): Promise<void>
  /** Retries saving the records that the disk had no room for. */
  flush(): Promise<void>
  /** Only for cached records: makes the next call read them again, because other processes may have changed them. */
  reload?(): void
}

export type RecordFilter<R> = { readonly [K in keyof R]?: R[K] | undefined }

/** Records that are all in memory, for fast reads. Each is saved on its own, so that a change writes only what it changes. */
export interface Collection<R> extends AsyncDisposable {
  get(id: string): R | undefined
  all(): R[]
  /**
   * Takes effect at once and is durable when it resolves. A removed record stays removed even if the disk refuses: the
   * file is removed with the next change.
   *
   * @throws as `put` of `Records`; the put is then undone. In a database also STORE_BUSY, if another machine changed a record
   *         meanwhile, or the database is away; then nothing is removed either
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
 * Small facts that expire, such as failed sign-ins, and that all daemons of a store must know at once. Without a database there
 * is only one daemon, so they are in memory: they need not outlive it.
 */
export interface SharedFacts {
  /**
   * Runs `change` while nobody else changes the facts under these keys, and saves its changes. A key begins with the kind of the
   * fact and a slash.
   *
   * @param change synchronous; changes only facts under these keys
   * @throws STORE_BUSY while the database is away, and what `change` throws; then nothing is changed
   */
  change<T>(keys: readonly string[], change: (facts: Facts) => T): Promise<T>
}

export interface Facts {
  /** Milliseconds since 1970, by one clock for all machines, whose own clocks may differ. */
  readonly now: number
  /** A JSON value; undefined if there is none, or it has expired. */
  get(key: string): unknown
  /**
   * @param lifetime milliseconds
   * @param isMinor true to drop it first if there are too many facts
   */
  set(key: string, value: object, lifetime: number, isMinor?: boolean): void
  remove(key: string): void
}

/** Names with one holder at a time, among all daemons of a store, or among all calls in the only daemon. */
export interface Leases {
  /** @returns undefined while the name has a holder */
  tryAcquire(name: string): Promise<Lease | undefined>
  /**
   * Asks the holder of the name to release it, and waits until it has, or has died. Of several calls, the latest comes last.
   *
   * @param why JSON; the abort reason of the holder's lease
   * @throws STORE_BUSY while the database is away; BUSY if the holder does not release it in time
   */
  takeOver(name: string, why: object): Promise<Lease>
  /** Names with this prefix that have a holder, or had one that died. */
  list(prefix: string): Promise<LeaseState[]>
  /**
   * Called once this daemon has found another one dead, whose leases are free now: within three seconds if its connection was
   * closed. Not called for a frozen daemon, whose leases expire. @returns a function that unsubscribes
   */
  onDeath(listener: () => void): () => void
}

/**
 * Disposing of it releases the name. Otherwise, the name is free 15 s after the last sign of life of its holder, or a second
 * after its connection was closed.
 */
export interface Lease extends AsyncDisposable {
  /** A fencing token: greater than that of each earlier holder of the name. */
  readonly fence: number
  /** Aborted when `takeOver` asks for the name, or when it is lost: then its work must stop at once. */
  readonly signal: AbortSignal
  /** True if somebody else may already hold the name: then nothing may be undone or cleaned up. */
  readonly isLost: boolean
  /** Renews it, before a step that only its holder may take. @throws STORE_BUSY if it is lost */
  renew(): Promise<void>
  /** Gives it up as if the holder had died, so that somebody else finishes the work. Until then, the name is still listed. */
  abandon(): Promise<void>
}

export interface LeaseCounts {
  /** By this daemon, now. */
  readonly held: number
  /** By this daemon, since it started. */
  readonly lost: number
}

export interface LeaseState {
  readonly name: string
  /** False if its holder has died: it may be acquired. */
  readonly isHeld: boolean
  /** When it expires unless it is renewed, or when it expired, in milliseconds since 1970. */
  readonly until: number
}

/** Messages between the daemons of a store. The only daemon receives none. */
export interface Messages {
  /**
   * Sends to all other daemons, with a small delay. While the database is away, messages wait. Too large or too many messages are
   * dropped, which is a gap.
   *
   * @param content JSON, up to `MESSAGE_SIZE` bytes
   * @returns false if there can be no other daemons
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

/** Bytes of JSON. PostgreSQL accepts 8,000, some of which our envelope needs. */
export const MESSAGE_SIZE = 7500

export interface JobHolder {
  /** States are saved only while it is held, so that a frozen daemon does not replace those of another one that has continued the job. */
  readonly lease: Lease | undefined
  /**
   * Called without an error when somebody cancels the job on another daemon; for a job without a lease, with an error when the other
   * daemons may take this one for dead.
   */
  readonly stop: (error?: FilemgrError) => void
}

/** Shows the jobs of each daemon of a store to the other daemons. */
export interface JobBoard {
  /** Shows a job of this daemon to the others, from its first state to its last, at a limited rate. */
  show(job: Job, by: JobHolder): void
  /** Resolves when the last state of a job of this daemon is saved. */
  whenSaved(id: string): Promise<void>
  /** Another daemon shows the job from now on. */
  drop(id: string): void
  /**
   * Jobs of other daemons, oldest first; those of a dead daemon have failed, unless another one will continue them.
   *
   * @throws STORE_BUSY
   */
  list(): Promise<Job[]>
  /** @throws STORE_BUSY */
  find(id: string): Promise<Job | undefined>
  /** Asks the daemon that runs the job to cancel it. @throws STORE_BUSY */
  cancel(id: string): Promise<void>
  /** Forgets jobs that are listed no more. @throws STORE_BUSY */
  prune(): Promise<void>
  /** Called after changes of jobs of other daemons. @returns a function that unsubscribes */
  onChange(listener: (job: Job) => void): () => void
}

/** What daemons remember of webhooks. Each daemon sends its own events, and those left by daemons that have stopped or died. */
export interface WebhookStates {
  /** Durable when it resolves. */
  put(...states: readonly WebhookState[]): Promise<void>
  remove(id: string): Promise<void>
  /** States that this process has neither put nor adopted. A webhook has one state for each daemon. @throws STORE_BUSY */
  others(): Promise<WebhookState[]>
  /**
   * For the daemon: adopts the states that exist, and later those that other daemons leave.
   *
   * @param adopt merges a state into that of this daemon, and puts the result
   */
  follow(adopt: (state: WebhookState) => Promise<void>): Promise<void>
}

/** What the daemons of a store share besides the store. The only daemon has it in memory and in its data folder. */
export interface Shared {
  readonly facts: SharedFacts
  readonly leases: Leases
  /** Undefined if there is only one daemon, which never loses one. */
  readonly leaseCounts?: () => LeaseCounts
  /** Locks of what all daemons serve. */
  readonly nameLocks: NameLocks
  readonly messages: Messages
  readonly jobBoard: JobBoard
  /** Undefined if there is only one daemon, whose file has everything. */
  readonly auditEntries?: SharedAudit
  readonly uploadRecords: Records<UploadRecord>
  /** Unfinished jobs, for the next start, or for another daemon. */
  readonly jobRecords: Records<JobRecord>
  /** How far those among them have come that are done in steps. */
  readonly stepRecords: Records<StepRecord>
  /** What limited folders hold. Undefined where facts outlive the daemon. */
  readonly usageRecords?: Records<UsageRecord>
  readonly webhookStates: WebhookStates
  /** Undefined if there is only one daemon, which has them in its data folder. */
  readonly brandingRecords?: Records<BrandingRecord>
  /** One record for each running daemon. */
  readonly nodeRecords: Records<NodeRecord>
  /** When each chore was last done. */
  readonly choreRuns: Records<ChoreRun>
}

/** The newest entries of the activity logs of all daemons of a store, beside the file that each machine has. */
export interface SharedAudit {
  /** Soon, and never throws: while the database is away, a bounded number of entries waits. */
  add(entry: AuditEntry): void
  /** Writes what waits, or tries to. */
  flush(): Promise<void>
  /** Newest first. @param before a time: only older ones @throws STORE_BUSY */
  entries(before?: string): AsyncIterable<AuditEntry>
  /** @param place where on its host this daemon listens, such as ":8080" */
  nameDaemon(place: string): void
}

/** The part of a logger that a store uses. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

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
   * @throws STORE_BUSY when the lock is not free within 10 s; STORE_INVALID when the file is damaged or cannot be written;
   *         NO_SPACE; INVALID_INPUT when the changed document breaks its schema; CANCELLED when the store is closed; and any
   *         error that `change` throws. In all these cases nothing is written.
   */
  update<T>(change: (draft: D) => T): Promise<T>
  /** Called after each new snapshot, whichever process made it. @returns a function that unsubscribes */
  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void
  /**
   * Only where other machines write too. Resolves once the snapshot and the sessions are what they were within the last second.
   *
   * @throws STORE_BUSY while the database is away
   */
  refresh?(): Promise<void>
}

/** Small records, each saved on its own, for data that changes too often for one document. */
export interface Records<R> {
  /** All records; damaged and foreign files are left out. */
  list(): Promise<R[]>
  /** Durable when it resolves. While the disk is full, the record is kept in memory and saved with a later put or flush. */
  put(record: R): Promise<void>
  /** Durable: a power cut does not bring them back. Ids without a record are ignored. */
  remove(...ids: readonly string[]): Promise<void>
  /** Retries saving the records that the disk had no room for. */
  flush(): Promise<void>
}

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

/** The part of a logger that a store uses. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

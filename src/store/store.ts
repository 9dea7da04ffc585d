/**
 * Seam 1: our own data. One document that several processes read and change at the same time.
 *
 * `snapshot()` is frozen, synchronous and kept fresh by a watch on the file; `update()` is the only way to change anything.
 */
export interface Store<D extends object> extends AsyncDisposable {
  snapshot(): Readonly<D>
  /**
   * Takes the lock, reads the newest document, lets `change` alter a copy, validates the whole and writes it durably.
   * Resolves with what `change` returned, after the new document is on the disk and is the snapshot.
   *
   * `change` must not wait; of several changes asked for at once each sees the one before, and they share a write.
   *
   * @throws STORE_BUSY when the lock is not to be had within 10 s; STORE_INVALID when the file on disk is damaged or not
   *         to be written; NO_SPACE; INVALID_INPUT when the changed document breaks its schema; CANCELLED after the end
   *         of the store; whatever `change` throws. Nothing is written then.
   */
  update<T>(change: (draft: D) => T): Promise<T>
  /** Called after each new snapshot, whichever process made it. Returns the way to stop. */
  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void
}

/** Small records by their id, each on its own, for what changes too often for a document. */
export interface Records<R> {
  /** All of them; what is damaged or none of ours is left out. */
  list(): Promise<R[]>
  /** On the disk when it resolves; while that is full, in memory, and on the disk with a later record or sweep. */
  put(record: R): Promise<void>
  /** For good: a power cut does not bring them back. Fine when there is none. */
  remove(...ids: readonly string[]): Promise<void>
  /** Removes what killed processes left half written before that time, in milliseconds since 1970. @returns how many */
  sweep(before: number): Promise<number>
}

/** Records that are all in memory, where they are found at once, and each on the disk: a change costs what it changes. */
export interface Collection<R> extends AsyncDisposable {
  get(id: string): R | undefined
  all(): R[]
  /**
   * Holds at once, and is on the disk when it resolves. What is removed stays removed, also while the disk refuses that: it is
   * tried again with the next change.
   *
   * @throws as `put` of `Records`; what was put does not hold then
   */
  change(change: CollectionChange<R>): Promise<void>
  /** Called after each change. Returns the way to stop. */
  onChange(listener: (changes: readonly RecordChange<R>[]) => void): () => void
}

export interface CollectionChange<R> {
  readonly put?: readonly R[]
  /** Ids; fine when there is no such record. */
  readonly remove?: readonly string[]
}

/** What became of one record; undefined where there is none. */
export interface RecordChange<R> {
  readonly before: R | undefined
  readonly now: R | undefined
}

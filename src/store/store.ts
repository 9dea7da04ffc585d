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
  update<T>(change: (draft: D) => T, how?: UpdateHow): Promise<T>
  /** Called after each new snapshot, whichever process made it. Returns the way to stop. */
  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void
}

export interface UpdateHow {
  /**
   * For what must take effect although the disk is full, such as the end of a session: while the daemon cannot save it, it is
   * kept in memory, and saved as soon as that works again.
   */
  readonly evenUnsaved?: boolean
}

/** Small records by their id, each on its own, for what changes too often for a document. */
export interface Records<R extends { readonly id: string }> {
  /** All of them; what is damaged or none of ours is left out. */
  list(): Promise<R[]>
  /** On the disk when it resolves; while that is full, in memory, and on the disk with a later record or sweep. */
  put(record: R): Promise<void>
  /** Fine when there is none. */
  remove(id: string): Promise<void>
  /** Removes what killed processes left half written before that time, in milliseconds since 1970. @returns how many */
  sweep(before: number): Promise<number>
}

import { unwatchFile, watchFile } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Low } from 'lowdb'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { createChangeListeners, applyChanges, type PendingChange, createSerialQueue } from './changes.ts'
import { diskFailure } from '../disk/disk.ts'
import type { DocumentCodec } from './document-codec.ts'
import type { JsonAdapter } from './json-adapter.ts'
import type { StoreChange, StoreWitness, StoreLog, Store } from '../store.ts'
import { pause } from '../writer/data-lock.ts'

/** Most changes in one write: more would block the event loop for too long. */
const BATCH = 64
/** Milliseconds within which every waiting process tries to take the lock. */
const TURN = 20
/** Milliseconds between checks of the file for edits by hand. */
const WATCH_INTERVAL = 2000
/** Bytes. */
const MIN_JOURNAL = 1024 * 1024
/** Of the size of the document: this bounds how much longer the next start takes, and what is written for each change. */
const MAX_JOURNAL = 0.5

interface JsonStoreDeps<D extends object> {
  readonly adapter: JsonAdapter<D>
  readonly codec: DocumentCodec<D>
  /** The document as it was opened. */
  readonly document: Readonly<D>
  readonly log: StoreLog
  /** Takes the lock of the data folder. */
  readonly lock: () => Promise<Disposable>
  /** True for the daemon, which alone writes: any other content was edited by hand. */
  readonly isDaemon: boolean
  /** Bytes of the journal at which the whole document is written; by default, a part of its size. */
  readonly journalLimit?: number | undefined
}

/** A document in a JSON file that several processes read and one of them writes. Opened by `openJsonStore`. */
export class JsonStore<D extends object> implements Store<D> {
  readonly #deps: JsonStoreDeps<D>
  readonly #low: Low<Readonly<D>>
  readonly #listeners
  /** Reads, writes and notifications never overlap, or old content could be published after newer. */
  readonly #enqueue = createSerialQueue()
  #snapshot: Readonly<D>
  #pending: PendingChange<D>[] = []
  #pumping: Promise<void> | undefined
  #lastProblem: string | undefined
  #closed = false
  /** Bytes of the journal when the document could not be written last, such as for lack of room. */
  #uncompacted = 0
  /** When this process last had the lock, by `performance.now()`. */
  #lockedAt = Number.NEGATIVE_INFINITY

  constructor(deps: JsonStoreDeps<D>) {
    this.#deps = deps
    this.#low = new Low(deps.adapter, deps.document)
    this.#snapshot = deps.document
    this.#listeners = createChangeListeners<[now: Readonly<D>, before: Readonly<D>]>(deps.log)
    if (!deps.isDaemon) return
    // Polls: many mounts report no events.
    watchFile(deps.adapter.path, { interval: WATCH_INTERVAL, persistent: false }, this.#refresh)
    // The file may have been edited since it was opened.
    this.#refresh()
  }

  snapshot(): Readonly<D> {
    return this.#snapshot
  }

  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void {
    return this.#listeners.add(listener)
  }

  async update<T>(change: StoreChange<D, T>, witness?: StoreWitness<D>): Promise<T> {
    if (this.#closed) fail('CANCELLED', 'The store is closed.')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.push({ apply: change, witness, resolve, reject })
    this.#pumping ??= this.#pump()
    return (await promise) as T
  }

  /** Stops watching; changes requested before are still written. The daemon leaves no journal behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { adapter, isDaemon } = this.#deps
    this.#closed = true
    unwatchFile(adapter.path, this.#refresh)
    await this.#pumping
    await this.#enqueue(async () => {
      if (isDaemon && adapter.journalSize > 0) await this.#compact()
      await adapter[Symbol.asyncDispose]()
    })
  }

  async #pump(): Promise<void> {
    do await this.#writeNext()
    while (this.#pending.length > 0)
    this.#pumping = undefined
  }

  /** Changes requested while it waits for the lock are included in the same write. */
  async #writeNext(): Promise<void> {
    let batch: readonly PendingChange<D>[] = []
    try {
      // By taking the lock again at once, a loop of changes would keep it from all waiting processes.
      if (!this.#deps.isDaemon && performance.now() - this.#lockedAt < TURN) await pause()
      using _lock = await this.#deps.lock()
      batch = this.#pending.splice(0, BATCH)
      await this.#enqueue(async () => await this.#apply(batch))
      this.#lockedAt = performance.now()
    } catch (error) {
      const failure = diskFailure(error, this.#deps.codec.name, 'saved')
      const failed = batch.length > 0 ? batch : this.#pending.splice(0)
      for (const { reject } of failed) reject(failure)
    }
  }

  async #apply(batch: readonly PendingChange<D>[]): Promise<void> {
    const { adapter, codec } = this.#deps
    await this.#reload()
    const newest = this.#low.data
    const { document, acknowledge } = applyChanges(newest, batch, codec)
    // With many accounts, applying changes takes milliseconds, and so does encoding: other requests are served in between.
    await setImmediate()
    if (document !== newest) await this.#save(document)
    this.#publish()
    acknowledge()
    if (adapter.journalSize > this.#compactAt()) await this.#compact()
  }

  async #save(document: Readonly<D>): Promise<void> {
    const newest = this.#low.data
    try {
      this.#low.data = document
      if (this.#deps.isDaemon) await this.#deps.adapter.append(document)
      else await this.#low.write()
    } catch (error) {
      this.#low.data = newest
      throw error
    }
  }

  #compactAt(): number {
    const { adapter, journalLimit } = this.#deps
    return (journalLimit ?? Math.max(MIN_JOURNAL, adapter.fileSize * MAX_JOURNAL)) + this.#uncompacted
  }

  /** Writes the whole document, so that the journal is not needed any more. All changes are on the disk already. */
  async #compact(): Promise<void> {
    const { adapter, log } = this.#deps
    try {
      await this.#reload()
      await this.#low.write()
      this.#uncompacted = 0
    } catch (error) {
      this.#uncompacted = adapter.journalSize
      const message = error instanceof Error ? error.message : String(error)
      log.warn(`The changes in the journal stay there for now: ${message}`)
    }
  }

  /** @throws STORE_INVALID; the snapshot stays the last good one. */
  async #reload(): Promise<void> {
    const { adapter, codec, log, isDaemon } = this.#deps
    const before = adapter.state?.document
    await this.#low.read()
    if (!adapter.state)
      fail('STORE_INVALID', `${codec.name} is gone. Put it back, or restart to use the newest recovery copy.`)
    if (this.#lastProblem !== undefined) log.info(`${codec.name} is valid again.`)
    this.#lastProblem = undefined
    if (adapter.state.document === before) return
    if (isDaemon) await adapter.continueJournal()
    if (isDaemon) log.info(`${codec.name} was edited by hand; the new content is in use.`)
    this.#publish()
  }

  #publish(): void {
    const before = this.#snapshot
    this.#snapshot = this.#low.data
    if (this.#snapshot !== before) this.#listeners.notify(this.#snapshot, before)
  }

  readonly #refresh = (): void => {
    void this.#enqueue(async () => await this.#reload().catch((error: unknown) => this.#reportProblem(error)))
  }

  /** Logs a problem with the file, once until it changes. */
  #reportProblem(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (message === this.#lastProblem) return
    this.#lastProblem = message
    const consequence = isFilemgrError(error, 'STORE_INVALID')
      ? ' The last valid state stays in use; changes are refused until the file is repaired.'
      : ''
    this.#deps.log.error(`${message}${consequence}`)
  }
}

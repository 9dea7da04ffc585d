import { Low } from 'lowdb'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { createChangeListeners } from './change-listeners.ts'
import { diskFailure } from './disk-failure.ts'
import type { DocumentCodec } from './document-codec.ts'
import { takeFileLock, type HeldLock } from './file-lock.ts'
import { FileWatch } from './file-watch.ts'
import type { JsonAdapter } from './json-adapter.ts'
import { applyChanges, type PendingChange } from './pending-changes.ts'
import type { StoreLog } from './store-log.ts'
import type { Store } from './store.ts'
import { createTurns } from './turns.ts'

/** Changes that share one write; more would keep the event loop, and the lock, for too long. */
const BATCH = 64

interface JsonStoreDeps<D extends object> {
  readonly adapter: JsonAdapter<D>
  readonly codec: DocumentCodec<D>
  /** The document as it was opened. */
  readonly document: Readonly<D>
  /** The document to go on with when the file is gone; without it, a missing file is damage. */
  readonly create: (() => D) | undefined
  readonly log: StoreLog
  readonly lockTimeout?: number
}

/** A document in a JSON file that several processes read and change. Made by openJsonStore. */
export class JsonStore<D extends object> implements Store<D> {
  readonly #deps: JsonStoreDeps<D>
  readonly #low: Low<Readonly<D>>
  readonly #watch: FileWatch
  readonly #listeners
  /** Reading, writing and publishing never overlap, or an old content could be published after a newer one. */
  readonly #inTurn = createTurns()
  #snapshot: Readonly<D>
  #pending: PendingChange<D>[] = []
  #pumping: Promise<void> | undefined
  #refreshing = false
  #complaint: string | undefined
  #closed = false

  constructor(deps: JsonStoreDeps<D>) {
    this.#deps = deps
    this.#low = new Low(deps.adapter, deps.document)
    this.#snapshot = deps.document
    this.#listeners = createChangeListeners<D>(deps.log)
    this.#watch = new FileWatch(deps.adapter.path, () => this.#refresh(), { log: deps.log })
  }

  snapshot(): Readonly<D> {
    return this.#snapshot
  }

  onChange(listener: (now: Readonly<D>, before: Readonly<D>) => void): () => void {
    return this.#listeners.add(listener)
  }

  async update<T>(change: (draft: D) => T): Promise<T> {
    if (this.#closed) fail('CANCELLED', 'The store is closed.')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.push({ apply: change, resolve, reject })
    this.#pumping ??= this.#pump()
    return (await promise) as T
  }

  /** Ends the watch; changes that were asked for before are still written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#watch[Symbol.dispose]()
    await this.#pumping
    await this.#inTurn(async () => undefined)
  }

  async #pump(): Promise<void> {
    while (this.#pending.length > 0) await this.#writeNext()
    this.#pumping = undefined
  }

  /** Those who ask while the lock is waited for are taken along: one write serves them all. */
  async #writeNext(): Promise<void> {
    let batch: PendingChange<D>[] = []
    let acknowledge: (() => void) | undefined
    try {
      await using lock = await takeFileLock(`${this.#deps.adapter.path}.lock`, this.#lockOptions())
      batch = this.#pending.splice(0, BATCH)
      acknowledge = await this.#inTurn(async () => await this.#apply(batch, lock))
    } catch (error) {
      const failure = diskFailure(error, this.#deps.codec.name, 'saved')
      // With the changes saved, only the lock can have failed: those who wait for it will say so.
      if (!acknowledge) for (const { reject } of batch.length > 0 ? batch : this.#pending.splice(0)) reject(failure)
    }
    // After the lock is released, so that a command that ends at once leaves none behind.
    acknowledge?.()
  }

  #lockOptions() {
    return this.#deps.lockTimeout === undefined ? {} : { timeout: this.#deps.lockTimeout }
  }

  /** Returns the way to tell those whose changes were saved. */
  async #apply(batch: readonly PendingChange<D>[], lock: HeldLock): Promise<() => void> {
    const { adapter, codec } = this.#deps
    await this.#reload()
    const newest = this.#low.data
    const applied = applyChanges(newest, batch, codec)
    if (applied.document === newest) return applied.acknowledge
    adapter.confirm = async () => await lock.confirm()
    try {
      this.#low.data = applied.document
      await this.#low.write()
    } catch (error) {
      this.#low.data = newest
      throw error
    }
    // A change that changed nothing was not written; the document stays the one that everybody knows.
    this.#low.data = adapter.state?.document ?? applied.document
    this.#publish()
    return applied.acknowledge
  }

  /** @throws STORE_INVALID; the snapshot stays the last good one. */
  async #reload(): Promise<void> {
    const { adapter, create, codec, log } = this.#deps
    const before = adapter.state
    await this.#low.read()
    if (!adapter.state && !create)
      fail('STORE_INVALID', `${codec.name} is gone. Put it back, or restart to use the newest good copy.`)
    if (!adapter.state && before && create) this.#low.data = codec.admit(create())
    if (this.#complaint !== undefined) log.info(`${codec.name} is valid again.`)
    this.#complaint = undefined
    if (log.isBrief !== true && adapter.state !== before && adapter.state?.isByHand())
      log.info(`${codec.name} was edited by hand and is taken over.`)
    if (adapter.state !== before) this.#publish()
  }

  #publish(): void {
    const before = this.#snapshot
    this.#snapshot = this.#low.data
    if (this.#snapshot !== before) this.#listeners.tell(this.#snapshot, before)
  }

  /** Events come in showers; those that arrive before the reading starts are served by it. */
  #refresh(): void {
    if (this.#refreshing || this.#closed) return
    this.#refreshing = true
    void this.#inTurn(async () => {
      this.#refreshing = false
      await this.#reload().catch((error: unknown) => this.#complain(error))
    })
  }

  /** Says once per state of the file what is wrong with it. */
  #complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (message === this.#complaint) return
    this.#complaint = message
    const rest = isFilemgrError(error, 'STORE_INVALID')
      ? ' The last good state stays in use, and nothing can be changed until the file is repaired.'
      : ''
    this.#deps.log.error(`${message}${rest}`)
  }
}

import { Low } from 'lowdb'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { createChangeListeners } from './change-listeners.ts'
import { diskFailure } from './disk-failure.ts'
import type { DocumentCodec } from './document-codec.ts'
import { FileWatch } from './file-watch.ts'
import type { JsonAdapter } from './json-adapter.ts'
import { applyChanges, type PendingChange } from './pending-changes.ts'
import type { StoreLog } from './store-log.ts'
import type { Store } from './store.ts'
import { createTurns } from './turns.ts'
import type { Writer } from './writer.ts'

/** Changes that share one write; more would keep the event loop for too long. */
const BATCH = 64
const PATIENCE = 10_000

interface JsonStoreDeps<D extends object> {
  readonly adapter: JsonAdapter<D>
  readonly codec: DocumentCodec<D>
  /** The document as it was opened. */
  readonly document: Readonly<D>
  /** The document to go on with when the file is gone; without it, a missing file is damage. */
  readonly create: (() => D) | undefined
  readonly log: StoreLog
  /** The way to write. */
  readonly reach: () => Promise<Writer>
  /** Whether it hears of changes of the file by others. */
  readonly watches: boolean
}

/** A document in a JSON file that several processes read, and that one of them writes. Made by openJsonStore. */
export class JsonStore<D extends object> implements Store<D> {
  readonly #deps: JsonStoreDeps<D>
  readonly #low: Low<Readonly<D>>
  readonly #watch: FileWatch | undefined
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
    this.#listeners = createChangeListeners<[now: Readonly<D>, before: Readonly<D>]>(deps.log)
    if (deps.watches) this.#watch = new FileWatch(deps.adapter.path, () => this.#refresh(), { log: deps.log })
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

  /**
   * Takes the document that another process made from what the file says; false when the file says something else by now.
   *
   * @param base digest of the content that the document was made from
   * @throws INVALID_INPUT, STORE_INVALID, NO_SPACE
   */
  async takeOver(base: string, document: object): Promise<boolean> {
    return await this.#inTurn(async () => {
      await this.#reload()
      if (this.#deps.adapter.digest !== base) return false
      await this.#save(this.#deps.codec.admit(document as D))
      this.#publish()
      return true
    })
  }

  /** Ends the watch; changes that were asked for before are still written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#watch?.[Symbol.dispose]()
    await this.#pumping
    await this.#inTurn(async () => undefined)
  }

  async #pump(): Promise<void> {
    do await this.#writeNext()
    while (this.#pending.length > 0)
    this.#pumping = undefined
  }

  /** Those who ask while the lock is waited for are taken along: one write serves them all. */
  async #writeNext(): Promise<void> {
    let batch: readonly PendingChange<D>[] = []
    const began = performance.now()
    try {
      do {
        if (performance.now() - began > PATIENCE) fail('STORE_BUSY', 'Others change the store all the time. Try again.')
        using writer = await this.#deps.reach()
        if (batch.length === 0) batch = this.#pending.splice(0, BATCH)
        batch = await this.#inTurn(async () => await this.#apply(batch, writer))
      } while (batch.length > 0)
    } catch (error) {
      const failure = diskFailure(error, this.#deps.codec.name, 'saved')
      const failed = batch.length > 0 ? batch : this.#pending.splice(0)
      for (const { reject } of failed) reject(failure)
    }
  }

  /** Returns those that have to be made again, since the document was another one by the time that the daemon looked. */
  async #apply(batch: readonly PendingChange<D>[], writer: Writer): Promise<readonly PendingChange<D>[]> {
    const { adapter, codec } = this.#deps
    await this.#reload()
    const newest = this.#low.data
    const { document, accepted, acknowledge } = applyChanges(newest, batch, codec)
    if (document !== newest && !adapter.says(document)) {
      if (writer.handOver === undefined) await this.#save(document)
      else {
        const change = { file: codec.name, base: adapter.digest, document }
        if (!(await writer.handOver(change))) return accepted
        await this.#reload()
      }
    }
    this.#publish()
    acknowledge()
    return []
  }

  async #save(document: Readonly<D>): Promise<void> {
    const newest = this.#low.data
    try {
      this.#low.data = document
      await this.#low.write()
    } catch (error) {
      this.#low.data = newest
      throw error
    }
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

import { fail } from '../../domain/errors.ts'
import type { STORE_FORMAT, StoreDocument } from '../document.ts'
import { applyChanges, createChangeListeners, type PendingChange } from '../json/changes.ts'
import type { DocumentCodec } from '../json/document-codec.ts'
import type { Store, StoreChange, StoreWitness, StoreLog } from '../store.ts'
import type { Database, News, Plan } from './database.ts'
import { documentOf, ROW_SIZE, rowsBetween, withRows } from './rows.ts'

/** Most changes in one transaction. */
const BATCH = 64

interface PostgresStoreDeps {
  readonly database: Pick<Database, 'write' | 'refresh'>
  readonly codec: DocumentCodec<StoreDocument>
  readonly format: Pick<typeof STORE_FORMAT, 'version' | 'schema'>
  readonly log: StoreLog
}

/** The whole document of the tables, in memory. */
export interface PostgresStore extends Store<StoreDocument> {
  /** Takes over rows that changed in the tables. @throws STORE_INVALID; the snapshot stays the last good one */
  apply(news: News): void
}

export function createPostgresStore({ database, codec, format, log }: PostgresStoreDeps): PostgresStore {
  const listeners = createChangeListeners<[now: Readonly<StoreDocument>, before: Readonly<StoreDocument>]>(log)
  const pending: PendingChange<StoreDocument>[] = []
  let snapshot: Readonly<StoreDocument> | undefined
  let pumping: Promise<void> | undefined
  let isClosed = false

  const current = (): Readonly<StoreDocument> => snapshot ?? fail('INTERNAL', 'the store is not loaded')

  const publish = (now: Readonly<StoreDocument>): void => {
    const before = snapshot
    snapshot = now
    if (before !== undefined && before !== now) listeners.notify(now, before)
  }

  const plan = (batch: readonly PendingChange<StoreDocument>[]): Plan => {
    const base = current()
    const { document, acknowledge } = applyChanges(base, batch, codec)
    return {
      rows: rowsBetween(base, document),
      committed(isNews) {
        if (isNews) publish(document)
        acknowledge()
      },
    }
  }

  const writeNext = async (): Promise<void> => {
    let batch: readonly PendingChange<StoreDocument>[] = []
    try {
      await database.write(() => {
        // Taken only now, so that changes requested while other machines wrote share this transaction.
        batch = pending.splice(0, BATCH)
        return plan(batch)
      })
    } catch (error) {
      for (const { reject } of batch.length > 0 ? batch : pending.splice(0)) reject(error)
    }
  }

  const pump = async (): Promise<void> => {
    do await writeNext()
    while (pending.length > 0)
    pumping = undefined
  }

  return {
    snapshot: current,
    onChange: (listener) => listeners.add(listener),
    refresh: async (limits) => await database.refresh(limits),

    async update<T>(change: StoreChange<StoreDocument, T>, witness?: StoreWitness<StoreDocument>): Promise<T> {
      if (isClosed) fail('CANCELLED', 'The store is closed.')
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      pending.push({ apply: change, witness, resolve, reject })
      pumping ??= pump()
      return (await promise) as T
    },

    apply({ rows, isEverything, state: { writer } }) {
      const own = rows.filter(({ kind }) => kind !== 'sessions')
      const size = own.length * ROW_SIZE
      if (isEverything) publish(codec.decodeObject(documentOf(own, format.version), size, writer).document)
      else if (own.length > 0) publish(codec.validateRows(withRows(current(), own, format.schema), writer))
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      await pumping
    },
  }
}

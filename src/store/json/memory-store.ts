import type { Static, TSchema } from 'typebox'
import { fail } from '../../domain/errors.ts'
import { silentLogger } from '../../platform/logging/logger.ts'
import { createChangeListeners, applyChanges } from './changes.ts'
import { createDocumentCodec, type DocumentFormat } from './document-codec.ts'
import type { StoreChange, StoreWitness, StoreLog, Store } from '../store.ts'

interface MemoryStoreOptions<S extends TSchema> extends Pick<DocumentFormat<S>, 'schema' | 'findProblem'> {
  readonly document: Static<S> & object
  readonly log?: StoreLog
}

/** A store in memory only, for `serve --ephemeral` and for tests. @throws INVALID_INPUT for an invalid document */
export function createMemoryStore<S extends TSchema>(options: MemoryStoreOptions<S>): Store<Static<S> & object> {
  type D = Static<S> & object
  const codec = createDocumentCodec<S>({ ...options, name: 'The store', version: 1, migrations: {} })
  const listeners = createChangeListeners<[now: Readonly<D>, before: Readonly<D>]>(options.log ?? silentLogger)
  let snapshot = codec.validate(options.document)
  let closed = false

  return {
    snapshot: () => snapshot,
    onChange: (listener) => listeners.add(listener),
    async update<T>(change: StoreChange<D, T>, witness?: StoreWitness<D>): Promise<T> {
      if (closed) fail('CANCELLED', 'The store is closed.')
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const before = snapshot
      const applied = applyChanges(before, [{ apply: change, witness, resolve, reject }], codec)
      if (JSON.stringify(applied.document) !== JSON.stringify(before)) {
        snapshot = applied.document
        listeners.notify(snapshot, before)
      }
      applied.acknowledge()
      return (await promise) as T
    },
    async [Symbol.asyncDispose]() {
      closed = true
    },
  }
}

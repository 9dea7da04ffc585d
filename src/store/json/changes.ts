import type { StoreChange, StoreLog, StoreWitness } from '../store.ts'
import type { DocumentCodec } from './document-codec.ts'

/** Listeners to changes. If one throws, the error is logged and the others are still called. */
export function createChangeListeners<A extends unknown[]>(log: StoreLog) {
  const listeners = new Set<(...args: A) => void>()
  return {
    add(listener: (...args: A) => void): () => void {
      const added = (...args: A) => listener(...args)
      listeners.add(added)
      return () => void listeners.delete(added)
    },
    notify(...args: A): void {
      for (const listener of listeners) {
        try {
          listener(...args)
        } catch (error) {
          log.error(
            `A listener to changes of the store failed: ${error instanceof Error ? error.stack : String(error)}`,
          )
        }
      }
    },
  }
}

/** A change waiting to be written. */
export interface PendingChange<D> {
  readonly apply: StoreChange<D, unknown>
  readonly witness?: StoreWitness<D> | undefined
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface AppliedChanges<D> {
  readonly document: Readonly<D>
  /** Resolves the changes that the document contains; call it once the document is on the disk. */
  readonly acknowledge: () => void
}

/**
 * Applies changes in order, each to its own copy of the document. A change that throws or breaks the schema is rejected
 * at once and leaves nothing behind in the document that the others are written with.
 */
export function applyChanges<D extends object>(
  base: Readonly<D>,
  changes: readonly PendingChange<D>[],
  codec: Pick<DocumentCodec<D>, 'validate' | 'draftOf'>,
): AppliedChanges<D> {
  let document = base
  const accepted: (() => void)[] = []
  for (const change of changes) {
    try {
      const draft = codec.draftOf(document)
      const value = change.apply(draft, document)
      if (value instanceof Promise)
        throw new TypeError('A change of the store must be synchronous: do asynchronous work before update()')
      const before = document
      const now = (document = codec.validate(draft))
      accepted.push(() => {
        change.witness?.(now, before)
        change.resolve(value)
      })
    } catch (error) {
      change.reject(error)
    }
  }
  return { document, acknowledge: () => accepted.forEach((acknowledge) => acknowledge()) }
}

/** Returns a function that runs asynchronous tasks one at a time, in the order they were added. */
export function createSerialQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    // The caller sees a failure; the next task only waits for this one to settle.
    last = result.catch(() => undefined)
    return result
  }
}

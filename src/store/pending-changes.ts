import type { DocumentCodec } from './document-codec.ts'

/** A change that waits for its write. */
export interface PendingChange<D> {
  readonly apply: (draft: D) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface AppliedChanges<D> {
  readonly document: Readonly<D>
  /** Those that are in it. */
  readonly accepted: readonly PendingChange<D>[]
  /** To be called once the document is safe: answers those whose change is in it. */
  readonly acknowledge: () => void
}

/**
 * Applies changes one after the other, each to a copy of its own, so that one that throws or breaks the schema is
 * refused at once and leaves no trace in what the others get written.
 */
export function applyChanges<D extends object>(
  base: Readonly<D>,
  changes: readonly PendingChange<D>[],
  codec: Pick<DocumentCodec<D>, 'admit' | 'draftOf'>,
): AppliedChanges<D> {
  let document = base
  const accepted: { change: PendingChange<D>; value: unknown }[] = []
  for (const change of changes) {
    try {
      const draft = codec.draftOf(document)
      const value = change.apply(draft)
      if (value instanceof Promise) throw new TypeError('A change of the store must not wait: do that before update()')
      document = codec.admit(draft)
      accepted.push({ change, value })
    } catch (error) {
      change.reject(error)
    }
  }
  return {
    document,
    accepted: accepted.map(({ change }) => change),
    acknowledge: () => accepted.forEach(({ change, value }) => change.resolve(value)),
  }
}

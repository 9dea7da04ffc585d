import type { Clock } from '../platform/clock.ts'
import type { Facts, SharedFacts } from './store.ts'

/** Limit for each kind, so that a flood of one kind does not evict the facts of another. */
const MAX_OF_KIND = 10_000

interface Fact {
  readonly value: object
  readonly lifetime: number
  readonly isMinor: boolean
}

interface Kept extends Fact {
  readonly until: number
}

export interface DraftedFacts {
  readonly facts: Facts
  /** Facts that were set, by key; undefined for those that were removed. */
  readonly changes: ReadonlyMap<string, Fact | undefined>
}

/** Collects the changes that are made to facts. */
export function draftFacts(found: ReadonlyMap<string, unknown>, now: number): DraftedFacts {
  const changes = new Map<string, Fact | undefined>()
  return {
    changes,
    facts: {
      now,
      get: (key) => (changes.has(key) ? changes.get(key)?.value : found.get(key)),
      set: (key, value, lifetime, isMinor = false) => void changes.set(key, { value, lifetime, isMinor }),
      remove: (key) => void changes.set(key, undefined),
    },
  }
}

/** Facts in memory, for the only daemon of a store. */
export function memoryFacts(clock: Clock): SharedFacts {
  const kinds = new Map<string, Map<string, Kept>>()

  const kindOf = (key: string): Map<string, Kept> => {
    const [name = ''] = key.split('/', 1)
    const kind = kinds.get(name) ?? new Map<string, Kept>()
    kinds.set(name, kind)
    return kind
  }

  const keep = (key: string, fact: Fact | undefined, now: number): void => {
    const kind = kindOf(key)
    // Deleted first, so that it becomes the newest entry: the oldest one is evicted.
    kind.delete(key)
    if (fact === undefined) return
    kind.set(key, { ...fact, until: now + fact.lifetime })
    if (kind.size > MAX_OF_KIND) evictFrom(kind)
  }

  return {
    async change(keys, change) {
      const now = clock.now()
      const found = keys.flatMap((key) => {
        const kept = kindOf(key).get(key)
        return kept !== undefined && now < kept.until ? [[key, kept.value] as const] : []
      })
      const { facts, changes } = draftFacts(new Map(found), now)
      const result = change(facts)
      for (const [key, fact] of changes) keep(key, fact, now)
      return result
    },
  }
}

function evictFrom(kind: Map<string, Kept>): void {
  let oldest: string | undefined
  for (const [key, { isMinor }] of kind) {
    oldest ??= key
    if (!isMinor) continue
    kind.delete(key)
    return
  }
  if (oldest !== undefined) kind.delete(oldest)
}

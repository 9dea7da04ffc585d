import { isDeepStrictEqual } from 'node:util'
import { Session } from '../../domain/accounts/session.ts'
import { fail } from '../../domain/errors.ts'
import { createValueCheck } from '../../platform/validation/value-check.ts'
import { createChangeListeners } from '../json/changes.ts'
import { deepFreeze } from '../json/json.ts'
import type { Collection, CollectionChange, RecordChange, StoreLog } from '../store.ts'
import { RETRY_AFTER } from './connection.ts'
import type { Database, News } from './database.ts'
import type { Row } from './tables.ts'

interface Entry {
  /** Undefined if it was removed here, but not yet in the table. */
  now: Session | undefined
  /** The session in the table. */
  stored: Session | undefined
  /** Number of changes made here that are not in the table yet. */
  pending: number
  /** Another machine changed it meanwhile: the pending changes are refused. */
  isOvertaken: boolean
}

/** All sessions of the table, in memory. */
export interface PostgresSessions extends Collection<Session> {
  apply(news: News): void
}

/**
 * A removal always takes effect. A put fails if another machine changed or removed the session meanwhile: it would bring back
 * an ended session, or undo a renewal.
 */
export function createPostgresSessions(database: Pick<Database, 'write'>, log: StoreLog): PostgresSessions {
  const check = createValueCheck(Session)
  const entries = new Map<string, Entry>()
  const listeners = createChangeListeners<[readonly RecordChange<Session>[]]>(log)
  let isClosed = false

  const entryOf = (id: string): Entry => {
    const entry = entries.get(id) ?? { now: undefined, stored: undefined, pending: 0, isOvertaken: false }
    entries.set(id, entry)
    return entry
  }

  const notify = (changes: readonly RecordChange<Session>[]): void => {
    if (changes.length > 0) listeners.notify(changes)
  }

  const set = (entry: Entry, now: Session | undefined): RecordChange<Session>[] => {
    const { now: before } = entry
    entry.now = now
    return before === now ? [] : [{ before, now }]
  }

  /** Call when a pending change has ended. After the last one, the session is that of the table. */
  const endPending = (id: string): RecordChange<Session>[] => {
    const entry = entryOf(id)
    entry.pending -= 1
    if (entry.pending > 0) return []
    entry.isOvertaken = false
    if (entry.stored === undefined) entries.delete(id)
    return set(entry, entry.stored)
  }

  const applyOne = (id: string, stored: Session | undefined): RecordChange<Session>[] => {
    const entry = entryOf(id)
    entry.stored = stored
    if (entry.pending === 0) {
      if (stored === undefined) entries.delete(id)
      return set(entry, stored)
    }
    entry.isOvertaken = true
    // A removed session ends at once, even if changes are pending.
    return stored === undefined ? set(entry, undefined) : []
  }

  const save = async ({ put = [], remove = [] }: CollectionChange<Session>): Promise<void> => {
    const requested = [...put.map((now) => [now.family, now] as const), ...remove.map((id) => [id, undefined] as const)]
    let overtaken: readonly string[] = []
    const commit = (id: string, now: Session | undefined, isNews: boolean): RecordChange<Session>[] => {
      const entry = entryOf(id)
      if (isNews) entry.stored = now
      // What came back is this change, unless another machine has made one since.
      else entry.isOvertaken = !isDeepStrictEqual(entry.stored, now)
      return endPending(id)
    }
    try {
      await database.write(() => {
        overtaken = put.map(({ family }) => family).filter((id) => entryOf(id).isOvertaken)
        const made = requested.filter(([id]) => !overtaken.includes(id))
        for (const [id] of made) entryOf(id).isOvertaken = false
        return {
          rows: made.map(([id, now]): Row => ({ kind: 'sessions', id, data: now ?? null })),
          committed: (isNews) => notify(made.flatMap(([id, now]) => commit(id, now, isNews))),
        }
      })
    } catch (error) {
      notify(requested.flatMap(([id]) => endPending(id)))
      throw error
    }
    if (overtaken.length === 0) return
    notify(overtaken.flatMap(endPending))
    fail('STORE_BUSY', 'The session was just changed elsewhere. Try again.', { retryAfter: RETRY_AFTER })
  }

  const isSession = (data: unknown): data is Session => check.accepts(data, 0)

  return {
    get: (id) => entries.get(id)?.now,
    all: () => [...entries.values()].flatMap(({ now }) => now ?? []),
    onChange: (listener) => listeners.add(listener),

    async change({ put = [], remove = [] }) {
      if (isClosed) fail('CANCELLED', 'The store is closed.')
      const known = remove.filter((id) => entries.has(id))
      const changes = [
        ...put.map((session) => [session.family, deepFreeze(session)] as const),
        ...known.map((id) => [id, undefined] as const),
      ].flatMap(([id, now]) => {
        const entry = entryOf(id)
        entry.pending += 1
        return set(entry, now)
      })
      notify(changes)
      if (put.length > 0 || known.length > 0) await save({ put, remove: known })
    },

    apply({ rows, isEverything }) {
      const own = rows.filter(({ kind }) => kind === 'sessions')
      const found = new Map(own.map(({ id, data }) => [id, isSession(data) ? deepFreeze(data) : undefined]))
      const gone = isEverything ? [...entries.keys()].filter((id) => !found.has(id)) : []
      notify([...found, ...gone.map((id) => [id, undefined] as const)].flatMap(([id, stored]) => applyOne(id, stored)))
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
    },
  }
}

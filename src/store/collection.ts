import { fail } from '../domain/errors.ts'
import { createChangeListeners } from './change-listeners.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { StoreLog } from './store-log.ts'
import type { Collection, CollectionChange, RecordChange } from './store.ts'

interface CollectionDeps<R> {
  /** Reads the records, at the first use: most commands need none of them. */
  readonly read: () => readonly R[]
  readonly idOf: (record: R) => string
  /** Brings a change to the disk, those of one record in the order of the calls. */
  readonly save: (change: CollectionChange<R>) => Promise<void>
  /** Called at the end, for what the disk had no room for. */
  readonly flush?: () => Promise<void>
  /** False for a command, whose memory nobody sees: it fails when the disk refuses to remove a record. */
  readonly livesOn: boolean
  readonly log: StoreLog
}

/** Records in memory, with a disk behind them that follows. */
export function createCollection<R extends object>(deps: CollectionDeps<R>): Collection<R> {
  const { idOf, save, flush, livesOn, log } = deps
  let read: Map<string, R> | undefined
  const known = (): Map<string, R> =>
    (read ??= new Map(deps.read().map((record) => [idOf(record), deepFreeze(record)])))
  const listeners = createChangeListeners<[readonly RecordChange<R>[]]>(log)
  /** Removed here, and still on the disk. */
  const leftovers = new Set<string>()
  const saving = new Set<Promise<void>>()
  let isClosed = false

  const set = (id: string, now: R | undefined): RecordChange<R> => {
    const before = known().get(id)
    if (now === undefined) known().delete(id)
    else known().set(id, now)
    return { before, now }
  }

  const savePut = async (id: string, { before, now }: RecordChange<R>): Promise<void> => {
    try {
      // When it was changed again meanwhile, that is saved twice: this must not end before it is on the disk.
      const newest = known().get(id)
      if (newest !== undefined) await save({ put: [newest] })
    } catch (error) {
      if (known().get(id) === now) listeners.tell([set(id, before)])
      throw error
    }
  }

  const saveRemoved = async (): Promise<void> => {
    const remove = [...leftovers]
    try {
      await save({ remove })
      for (const id of remove) leftovers.delete(id)
    } catch (error) {
      if (!livesOn) leftovers.clear()
      if (!livesOn) throw error
      log.error(`What was ended is ended, and is removed from the disk as soon as that works: ${String(error)}`)
    }
  }

  const change: Collection<R>['change'] = async ({ put = [], remove = [] }) => {
    const made = put.map((record) => [idOf(record), set(idOf(record), deepFreeze(record))] as const)
    const removed = remove.map((id) => set(id, undefined)).filter(({ before }) => before !== undefined)
    for (const { before } of removed) if (before !== undefined) leftovers.add(idOf(before))
    listeners.tell([...made.map(([, changed]) => changed), ...removed])
    if (leftovers.size > 0) await saveRemoved()
    // One after the other: others want the disk too.
    for (const [id, changed] of made) await savePut(id, changed)
  }

  return {
    get: (id) => known().get(id),
    all: () => [...known().values()],
    onChange: (listener) => listeners.add(listener),

    async change(asked) {
      if (isClosed) fail('CANCELLED', 'The store is closed.')
      const done = change(asked)
      saving.add(done)
      await done.finally(() => saving.delete(done))
    },

    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.allSettled(saving)
      if (leftovers.size > 0) await saveRemoved()
      await flush?.()
    },
  }
}

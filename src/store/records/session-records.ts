import { join } from 'node:path'
import { Session } from '../../domain/accounts/session.ts'
import { diskFailure } from '../disk/disk.ts'
import { fileRecords } from './records.ts'
import type { StoreLog, Collection, CollectionChange, RecordChange } from '../store.ts'
import { takeDataLock } from '../writer/data-lock.ts'
import { fail } from '../../domain/errors.ts'
import { createChangeListeners } from '../json/changes.ts'
import { deepFreeze } from '../json/json.ts'

/** One file for each session, named by its family. */
export const SESSIONS = 'sessions'

const idOf = ({ family }: Session): string => family

/** The sessions of a data folder. Sessions have no recovery copies: one could bring an ended session back. */
export async function openSessions(folder: string, isDaemon: boolean, log: StoreLog): Promise<Collection<Session>> {
  const records = fileRecords<Session>({ folder: join(folder, SESSIONS), schema: Session, idOf, log })
  const save = async ({ put = [], remove = [] }: CollectionChange<Session>): Promise<void> => {
    for (const session of put) await records.put(session)
    await records.remove(...remove)
  }
  const saveAsCommand = async (change: CollectionChange<Session>): Promise<void> => {
    using _lock = await takeDataLock(folder)
    await save(change)
  }
  try {
    const sessions = createCollection({
      read: records.listNow,
      flush: records.flush,
      idOf,
      save: isDaemon ? save : saveAsCommand,
      isLongLived: isDaemon,
      log,
    })
    if (isDaemon) sessions.all()
    return sessions
  } catch (error) {
    throw diskFailure(error, join(folder, SESSIONS), 'opened')
  }
}

/** Sessions that are lost when the process ends. */
export function memorySessions(log: StoreLog): Collection<Session> {
  return createCollection<Session>({ read: () => [], idOf, save: async () => undefined, isLongLived: true, log })
}

interface CollectionDeps<R> {
  /** Reads the records on first use: most commands need none of them. */
  readonly read: () => readonly R[]
  readonly idOf: (record: R) => string
  /** Writes a change to the disk; changes to one record are written in order. */
  readonly save: (change: CollectionChange<R>) => Promise<void>
  /** Called on disposal, to save records that the disk had no room for. */
  readonly flush?: () => Promise<void>
  /** False for a command: it exits before it could try again, so it fails if the disk refuses to remove a record. */
  readonly isLongLived: boolean
  readonly log: StoreLog
}

/** Records in memory, written through to the disk. */
function createCollection<R extends object>(deps: CollectionDeps<R>): Collection<R> {
  const { idOf, save, flush, isLongLived, log } = deps
  let read: Map<string, R> | undefined
  const known = (): Map<string, R> =>
    (read ??= new Map(deps.read().map((record) => [idOf(record), deepFreeze(record)])))
  const listeners = createChangeListeners<[readonly RecordChange<R>[]]>(log)
  /** Ids of records that are removed from memory but still on the disk. */
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
      // Saves the newest version, even if a later call does so again: this call must not resolve before its change is durable.
      const newest = known().get(id)
      if (newest !== undefined) await save({ put: [newest] })
    } catch (error) {
      if (known().get(id) === now) listeners.notify([set(id, before)])
      throw error
    }
  }

  const saveRemoved = async (): Promise<void> => {
    const remove = [...leftovers]
    try {
      await save({ remove })
      for (const id of remove) leftovers.delete(id)
    } catch (error) {
      if (!isLongLived) leftovers.clear()
      if (!isLongLived) throw error
      log.error(
        `Removed records could not be deleted from the disk; this is tried again with the next change: ${String(error)}`,
      )
    }
  }

  const change: Collection<R>['change'] = async ({ put = [], remove = [] }) => {
    const made = put.map((record) => [idOf(record), set(idOf(record), deepFreeze(record))] as const)
    const removed = remove.map((id) => set(id, undefined)).filter(({ before }) => before !== undefined)
    for (const { before } of removed) if (before !== undefined) leftovers.add(idOf(before))
    listeners.notify([...made.map(([, changed]) => changed), ...removed])
    if (leftovers.size > 0) await saveRemoved()
    // One at a time, so that other requests get their share of the disk.
    for (const [id, changed] of made) await savePut(id, changed)
  }

  return {
    get: (id) => known().get(id),
    all: () => [...known().values()],
    onChange: (listener) => listeners.add(listener),

    async change(requested) {
      if (isClosed) fail('CANCELLED', 'The store is closed.')
      const done = change(requested)
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

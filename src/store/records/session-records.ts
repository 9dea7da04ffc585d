import { join } from 'node:path'
import { fail } from '../../domain/errors.ts'
import { Session } from '../../domain/accounts/session.ts'
import { createValueCheck } from '../../platform/validation/value-check.ts'
import { createCollection } from './collection.ts'
import { diskFailure } from '../disk/disk.ts'
import { fileRecords } from './records.ts'
import type { StoreLog, Collection, CollectionChange } from '../store.ts'
import { reachWriter } from '../writer/writer.ts'

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
    using writer = await reachWriter(folder)
    if (writer.handOver === undefined) await save(change)
    else await writer.handOver({ sessions: change })
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

/** Returns the daemon's handler for session changes that a command sends. @throws INVALID_INPUT */
export function acceptSessionChanges(
  sessions: Collection<Session>,
): (change: CollectionChange<Session>) => Promise<true> {
  const check = createValueCheck(Session)
  return async ({ put = [], remove = [] }) => {
    if (!put.every((session) => check.accepts(session, JSON.stringify(session).length)))
      fail('INVALID_INPUT', 'The request does not contain valid sessions.')
    await sessions.change({ put, remove })
    return true
  }
}

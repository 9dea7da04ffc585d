import { join } from 'node:path'
import { Session } from '../../domain/accounts/session.ts'
import { createCollection } from './collection.ts'
import { diskFailure } from '../disk/disk.ts'
import { fileRecords } from './records.ts'
import type { StoreLog, Collection, CollectionChange } from '../store.ts'
import { takeDataLock } from '../writer/writer.ts'

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

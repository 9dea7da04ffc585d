import { readdir, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../domain/errors.ts'
import { Session } from '../domain/session.ts'
import { createValueCheck } from '../platform/value-check.ts'
import { isTemporary } from './atomic-file.ts'
import { createCollection } from './collection.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import { fileRecords } from './file-records.ts'
import type { StoreLog } from './store-log.ts'
import type { Collection, CollectionChange } from './store.ts'
import { reachWriter } from './writer.ts'

/** One file for each session, named by its family. */
export const SESSIONS = 'sessions'
/** All sessions in one file, as earlier versions kept them: each renewal wrote it whole. */
const OLD_SESSIONS = 'sessions.json'

const idOf = ({ family }: Session): string => family

/** The sessions of a data folder. There are no copies of what is damaged: one could bring an ended session back. */
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
    if (isDaemon) await removeWhatIsOld(folder)
    const sessions = createCollection({
      ...{
        read: records.listNow,
        flush: records.flush,
        idOf,
        save: isDaemon ? save : saveAsCommand,
        livesOn: isDaemon,
        log,
      },
    })
    if (isDaemon) sessions.all()
    return sessions
  } catch (error) {
    throw diskFailure(error, join(folder, SESSIONS), 'opened')
  }
}

/** Sessions that end with the process. */
export function memorySessions(log: StoreLog): Collection<Session> {
  return createCollection<Session>({ read: () => [], idOf, save: async () => undefined, livesOn: true, log })
}

/** What the daemon does with a change that a command hands over. @throws INVALID_INPUT */
export function sessionsTakeOver(sessions: Collection<Session>): (change: CollectionChange<Session>) => Promise<true> {
  const check = createValueCheck(Session)
  return async ({ put = [], remove = [] }) => {
    if (!put.every((session) => check.accepts(session, JSON.stringify(session).length)))
      fail('INVALID_INPUT', 'this is no session')
    await sessions.change({ put, remove })
    return true
  }
}

/** Only while the data folder is locked: nobody else writes. */
async function removeWhatIsOld(folder: string): Promise<void> {
  await rm(join(folder, OLD_SESSIONS), { force: true })
  const names = (await unlessErrno(readdir(join(folder, SESSIONS)), 'ENOENT')) ?? []
  for (const name of names) if (isTemporary(name)) await unlink(join(folder, SESSIONS, name))
}

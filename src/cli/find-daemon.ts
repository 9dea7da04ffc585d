import type { DaemonRecord } from '../context/daemon-record.ts'
import { fail } from '../domain/errors.ts'
import type { Invocation } from './program/command.ts'
import { dataFolder } from './data-folder.ts'

/** The daemon that runs on the data folder, if any. */
export async function findDaemon({ globals, terminal }: Invocation): Promise<DaemonRecord | undefined> {
  const { readDaemon } = await import('../context/daemon-record.ts')
  return await readDaemon(dataFolder(globals, terminal))
}

/** @throws DAEMON_NOT_RUNNING; STORE_BUSY if it does not answer */
export async function requireDaemon(invocation: Invocation): Promise<DaemonRecord> {
  const folder = dataFolder(invocation.globals, invocation.terminal)
  const daemon = await findDaemon(invocation)
  if (daemon === undefined)
    fail('DAEMON_NOT_RUNNING', `no daemon is running for ${folder}; start one with "filemgr serve"`)
  const { requireAnswer } = await import('../context/daemon-record.ts')
  await requireAnswer(folder, daemon)
  return daemon
}

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { fail } from '../domain/errors.ts'
import { Conditions } from '../domain/files/bucket-conditions.ts'
import { parseJson } from '../domain/schema/parse-value.ts'
import { defaultsOf } from '../domain/schema/schema-tools.ts'
import { OPTION_SOURCES, ServerOptions } from '../domain/server/server-options.ts'
import { hasDaemon, isDaemonAlive } from '../platform/network/daemon-socket.ts'
import { MEMBER } from '../platform/processes/member.ts'
import { createValueCheck } from '../platform/validation/value-check.ts'
import { withAbsolutePaths, type ResolvedOptions } from '../options.ts'
import { unlessErrno } from '../platform/files/error-code.ts'

/** daemon.json: the one daemon that runs on a data folder. */
const DaemonRecord = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** Empty until it listens. */
  url: Type.String(),
  /** The public address that a trusted proxy reported, with a trailing slash. */
  learnedUrl: Type.Optional(Type.String()),
  version: Type.String(),
  /** The served folder, with its "device inode" when the daemon started. */
  root: Type.Optional(Type.Object({ path: Type.String(), identity: Type.String() })),
  /** Which conditions the served bucket honours. */
  conditions: Type.Optional(Conditions),
  /** RFC 3339. */
  started: Type.String(),
  /** The start-up values, their sources, and the folder for relative paths; absent until they are checked. */
  inForce: Type.Optional(
    Type.Object({
      // A daemon of another version may not have all of them.
      options: Type.Partial(ServerOptions),
      sources: Type.Record(Type.String(), Type.Enum([...OPTION_SOURCES])),
      workingFolder: Type.String(),
    }),
  ),
})
export type DaemonRecord = Static<typeof DaemonRecord>

const check = createValueCheck(DaemonRecord)

export const recordPath = (folder: string) => join(folder, 'daemon.json')

/**
 * Where a daemon has its lock, its socket and its record. Of several behind one port, commands talk to the first, and so find it in
 * the data folder itself.
 */
export function runtimeFolder(folder: string, number = MEMBER.number): string {
  return number === 1 ? folder : join(folder, `process-${number}`)
}

/** The running daemon of a data folder; the record of a killed one is ignored. */
export async function readDaemon(folder: string): Promise<DaemonRecord | undefined> {
  const record = await readRecord(folder)
  return record !== undefined && (await hasDaemon(folder)) ? record : undefined
}

/**
 * @throws STORE_BUSY if the daemon does not answer in time, because it is stopped by a signal or its event loop is blocked;
 *   DAEMON_NOT_RUNNING if it has ended
 */
export async function requireAnswer(folder: string, { pid }: Pick<DaemonRecord, 'pid'>): Promise<void> {
  const isAlive = await isDaemonAlive(folder)
  if (isAlive === undefined) fail('DAEMON_NOT_RUNNING', `the daemon with pid ${pid} has ended`)
  if (isAlive) return
  const remedy = (await isStopped(pid))
    ? `it is stopped: continue it with "kill -CONT ${pid}"`
    : `it hangs, or the machine is overloaded: restart it if that lasts`
  fail('STORE_BUSY', `the daemon with pid ${pid} does not answer; ${remedy}`, { reason: 'silent' })
}

/** By a signal, such as SIGSTOP. False if it cannot be found out, as for a daemon in a container. */
async function isStopped(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return /^State:\s+[Tt]/m.test(status)
}

/** The start-up values of a running daemon, with absolute paths; undefined while it is starting. */
export function optionsInForce({ inForce }: DaemonRecord): ResolvedOptions | undefined {
  if (inForce === undefined) return undefined
  const { options, sources, workingFolder } = inForce
  const complete = { ...defaultsOf(ServerOptions), ...options }
  return { options: withAbsolutePaths(complete, workingFolder), sources: sources as ResolvedOptions['sources'] }
}

/** What `place` of a node with this runtime folder is. */
export async function placeOf(folder: string): Promise<string> {
  const [boot, { dev, ino }] = await Promise.all([readFile('/proc/sys/kernel/random/boot_id', 'utf8'), stat(folder)])
  return `${boot.trim()}/${dev}/${ino}`
}

/** @throws STORE_BUSY naming the daemon that is already running */
export async function refuseSecondDaemon(folder: string): Promise<void> {
  const other = await readDaemon(folder)
  if (other === undefined) return
  const where = other.url === '' ? 'and is just starting' : `at ${other.url}`
  fail(
    'STORE_BUSY',
    `${folder} is in use by the daemon with pid ${other.pid} ${where}; stop it, or choose another --data`,
  )
}

async function readRecord(folder: string): Promise<DaemonRecord | undefined> {
  const text = await unlessErrno(readFile(recordPath(folder), 'utf8'), 'ENOENT', 'ENOTDIR')
  if (text === undefined) return undefined
  const parsed = parseJson(text)
  // A foreign file is replaced at the next start.
  return check.accepts(parsed, text.length) ? parsed : undefined
}

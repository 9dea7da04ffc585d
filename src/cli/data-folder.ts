import { existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ContextRequest } from '../context/open-context.ts'
import { fail } from '../domain/errors.ts'
import { requireLocalPath } from '../domain/server/addresses.ts'
import type { GlobalFlags, Terminal, Invocation } from './program/command.ts'
import type { DaemonRecord } from '../context/daemon-record.ts'
import { isErrno } from '../platform/files/error-code.ts'

type Surroundings = Pick<Terminal, 'env' | 'cwd'>

/** The data folder of root, and of the account that runs the service. */
export const SERVICE_FOLDER = '/var/lib/filemgr'

/**
 * The first of: --data, FILEMGR_DATA, File Browser's FB_DATABASE (unless that is still a database file), and the system's
 * standard folder for data of a user or service.
 */
export function dataFolder(globals: Pick<GlobalFlags, 'data'>, { env, cwd }: Surroundings): string {
  const named = namedData(globals, { env, cwd })
  if (named === '') fail('INVALID_INPUT', '--data needs the name of a folder', { field: 'data' })
  if (named === undefined) return defaultDataFolder(env)
  requireLocalPath(named, '--data', 'name a folder, and a database by --store postgres://…')
  return resolve(cwd(), named)
}

/** Whether a flag or a variable names the data folder. */
export function namesData(globals: Pick<GlobalFlags, 'data'>, surroundings: Surroundings): boolean {
  return namedData(globals, surroundings) !== undefined
}

function namedData({ data }: Pick<GlobalFlags, 'data'>, { env, cwd }: Surroundings): string | undefined {
  return data ?? env['FILEMGR_DATA'] ?? (namesFile({ env, cwd }) ? undefined : env['FB_DATABASE'])
}

function defaultDataFolder(env: Terminal['env']): string {
  const me = process.getuid?.()
  if (me === 0 || statSync(SERVICE_FOLDER, { throwIfNoEntry: false })?.uid === me) return SERVICE_FOLDER
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'filemgr')
}

/** Whether FB_DATABASE names a file, as it does for File Browser. */
export function namesFile({ env, cwd }: Surroundings): boolean {
  const { FB_DATABASE: path = '' } = env
  return path !== '' && existsSync(resolve(cwd(), path)) && statSync(resolve(cwd(), path)).isFile()
}

/**
 * The data folder, for all commands except `import`. Refuses a first start while a File Browser database is configured: the
 * administrator would find an installation without the old accounts.
 *
 * @throws INVALID_INPUT like `refuseDatabase`
 */
export async function ownFolder(globals: GlobalFlags, surroundings: Surroundings): Promise<string> {
  const folder = dataFolder(globals, surroundings)
  await refuseDatabase(folder)
  if (namesFile(surroundings)) {
    const location = { folder, url: '' }
    await refuseForgottenDatabase(location, surroundings.env['FB_DATABASE'] ?? '', 'FB_DATABASE', surroundings)
  }
  return folder
}

/** @param namedBy the config file or variable that names the database. @throws INVALID_INPUT if there is no store yet */
export async function refuseForgottenDatabase(
  location: ContextRequest['location'],
  database: string,
  namedBy: string,
  { cwd }: Pick<Surroundings, 'cwd'>,
): Promise<void> {
  const { hasStore } = await import('../context/first-start.ts')
  if (!(await hasStore(location))) await refuseDatabase(resolve(cwd(), database), namedBy)
}

/** Old scripts and config files name File Browser's database. @throws INVALID_INPUT explaining how to import it */
export async function refuseDatabase(folder: string, namedBy = '--data'): Promise<void> {
  let file
  try {
    file = await open(folder)
  } catch (error) {
    // Opening the store creates a missing folder, and reports one that cannot be reached.
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return
    throw error
  }
  try {
    if (!(await file.stat()).isFile() || !(await isBoltDatabase(file))) return
    const advice = `import it into a data folder with "filemgr import ${folder}"`
    fail('INVALID_INPUT', `${namedBy}: ${folder} is a File Browser database; ${advice}`, { field: 'data' })
  } finally {
    await file.close()
  }
}

type FileHandle = Awaited<ReturnType<typeof open>>

/** BoltDB's magic number is in the first page, after the header of the page. */
async function isBoltDatabase(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 16)
  return bytesRead === 4 && buffer.readUInt32LE() === 0xed0cdaed
}

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

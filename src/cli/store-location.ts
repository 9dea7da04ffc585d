import type { DaemonRecord } from '../context/daemon-record.ts'
import type { ContextRequest } from '../context/open-context.ts'
import { fail } from '../domain/errors.ts'
import { hasPassword, requireStoreUrl } from '../domain/server/store-url.ts'
import { storeFrom } from '../options.ts'
import { ownFolder } from './data-folder.ts'
import type { GlobalFlags, Invocation, Terminal } from './program/command.ts'
import { loadConfigFile, type ConfigFile } from '../options/config-file.ts'

export type Location = ContextRequest['location']
type Line = Pick<Invocation, 'globals' | 'terminal'>

/**
 * The store of a command: --store, else FILEMGR_STORE, else that of the daemon on the data folder, else that of the config
 * file, else the data folder.
 *
 * @throws INVALID_INPUT for an invalid address, and for a password on the command line
 */
export async function ownStoreLocation(line: Line): Promise<Location> {
  return await storeLocationIn(await ownFolder(line.globals, line.terminal), line)
}

/** Like `ownStoreLocation`, for a known data folder. */
export async function storeLocationIn(folder: string, { globals, terminal }: Line): Promise<Location> {
  const named = storeFrom({ flags: storeFlag(globals), environment: terminal.env })
  if (named !== undefined) return storeLocationAt(folder, named)
  const { readDaemon } = await import('../context/daemon-record.ts')
  const running = storeOf(await readDaemon(folder))
  if (running === '') return storeLocationAt(folder, '')
  const configured = (await configFileOf(globals, terminal))?.options.store
  // The config file first: the URL that the daemon publishes has no password.
  return storeLocationAt(folder, configured ?? running ?? '')
}

/** @throws INVALID_INPUT */
function storeLocationAt(folder: string, url: string): Location {
  if (url !== '') requireStoreUrl(url)
  return { folder, url }
}

/** The store URL of a running daemon: "" for a store on disk, undefined without a daemon. */
export function storeOf(daemon: DaemonRecord | undefined): string | undefined {
  return daemon?.inForce === undefined ? undefined : (daemon.inForce.options.store ?? '')
}

/** The flag as a server option. @throws INVALID_INPUT for a password, which the list of processes would show */
export function storeFlag({ store }: GlobalFlags): { store?: string } {
  if (store === undefined) return {}
  refuseVisiblePassword(store, '--store')
  return { store }
}

/** @throws INVALID_INPUT */
export function refuseVisiblePassword(url: string, flag: string): void {
  if (!hasPassword(url)) return
  const advice = 'give it by PGPASSWORD, ~/.pgpass, FILEMGR_STORE or the config file'
  fail('INVALID_INPUT', `${flag}: everyone on this machine could see the password; ${advice}`, { field: 'store' })
}

/** @throws INVALID_INPUT if the file is missing or malformed */
export async function configFileOf({ config }: GlobalFlags, { env, cwd }: Terminal): Promise<ConfigFile | undefined> {
  const named = config ?? env['FILEMGR_CONFIG']
  return await loadConfigFile({ named, workingFolder: cwd(), environment: env })
}

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fail, FilemgrError } from '../domain/errors.ts'
import { accountName, ownerOf } from '../platform/files/accounts.ts'
import { isErrno } from '../platform/files/error-code.ts'
import { isBeneath } from '../platform/files/served-root.ts'
import { dataFolder, namesData, SERVICE_FOLDER } from './data-folder.ts'
import { globalsFromWords } from './program/line.ts'
import type { Invocation, Terminal } from './program/command.ts'

/**
 * Explains an error that comes from data of another account: the folder of the service, say, for a command without sudo.
 * Returns all other errors unchanged.
 */
export async function explainForeignData(
  error: FilemgrError,
  words: readonly string[],
  terminal: Terminal,
): Promise<FilemgrError> {
  const globals = globalsFromWords(words)
  const folder = dataFolder(globals, terminal)
  const message = isMissing(error)
    ? namesData(globals, terminal)
      ? undefined
      : missingHere(folder)
    : await refusedThere(error, folder)
  return message === undefined ? error : new FilemgrError('FORBIDDEN', message, {}, { cause: error })
}

const isMissing = ({ code, details }: FilemgrError) => code === 'DAEMON_NOT_RUNNING' || details.reason === 'no store'

/** For a command that would go on without a store. @throws FORBIDDEN if it was probably meant for the store of the service */
export function refuseStoreOfService({ globals, terminal }: Pick<Invocation, 'globals' | 'terminal'>): void {
  const message = namesData(globals, terminal) ? undefined : missingHere(dataFolder(globals, terminal))
  if (message !== undefined) fail('FORBIDDEN', message)
}

/** For an account without data of its own, on a machine with a service. */
function missingHere(folder: string): string | undefined {
  if (!isServiceOfOthers() || existing(folder) !== undefined) return undefined
  return `there is no store in ${folder}; for that of the service in ${SERVICE_FOLDER} run "sudo filemgr …", or choose a folder with --data`
}

/** Whether a service has its data on this machine, and this account does not run it. */
function isServiceOfOthers(): boolean {
  const me = process.geteuid?.()
  const found = existing(SERVICE_FOLDER)
  return me !== 0 && found !== undefined && found.uid !== me
}

/** Says that the store in use is not that of the service, which a command without --data might be meant for. */
export function noticeOwnStore({
  globals,
  terminal,
  output,
}: Pick<Invocation, 'globals' | 'terminal' | 'output'>): void {
  if (globals.store !== undefined || namesData(globals, terminal) || !isServiceOfOthers()) return
  const own = dataFolder(globals, terminal)
  output.notice(`this is the store in ${own}; for that of the service in ${SERVICE_FOLDER} run "sudo filemgr …"`)
}

function existing(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

async function refusedThere(error: FilemgrError, own: string): Promise<string | undefined> {
  const path = refusedPath(error)
  const isOfStore = error.code === 'STORE_INVALID' && error.details.reason === 'unreachable'
  if (!isOfStore && (path === undefined || !isBeneath(own, path))) return undefined
  // "store copy" also uses other data folders.
  const folder = path === undefined || isBeneath(own, path) ? own : dirname(path)
  const [me, owner] = [process.geteuid?.(), await ownerOf(folder)]
  if (owner !== undefined && owner !== me) return await runAs(owner, folder)
  if (path === undefined) return undefined
  const fileOwner = await ownerOf(path)
  if (fileOwner === undefined || fileOwner === me)
    return `this account may not use ${path}, its own file: "chmod u+rwX ${path}" corrects that`
  const [name, mine] = [await accountName(fileOwner), await accountName(me ?? 0)]
  return `${path} belongs to the account ${name}: "sudo chown ${mine} ${path}" corrects that`
}

async function runAs(owner: number, folder: string): Promise<string> {
  const name = await accountName(owner)
  const user = owner === 0 ? '' : `-u ${/^\d/.test(name) ? `'#${name}'` : name} `
  return `${folder} belongs to the account ${name}: run "sudo ${user}filemgr …", or choose another folder with --data`
}

/** The path that the system refused. */
function refusedPath(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (!isErrno(error, 'EACCES', 'EPERM')) return refusedPath(error.cause)
  const { path, address } = error as { path?: unknown; address?: unknown }
  return typeof path === 'string' ? path : typeof address === 'string' ? address : undefined
}

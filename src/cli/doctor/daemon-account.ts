import { stat } from 'node:fs/promises'
import { accountName } from '../../platform/files/accounts.ts'
import {
  accessAs,
  identityOfAccount,
  identityOfProcess,
  type AskAccess,
  missingRight,
  type MissingRight,
} from '../../platform/files/missing-right.ts'

/** The account that runs the daemon, or that will: what matters is what it may do, not what the account of the command may. */
export interface DaemonAccount {
  /** Such as "filemgr", or a number. */
  readonly name: string
  /** What keeps it from reading a path, or from changing what is in it. */
  lacks(path: string, need: 'read' | 'write'): Promise<MissingRight | undefined>
}

/**
 * That of the running daemon, else the owner of the data folder, to whom all that commands create belongs. Another account than
 * root can ask only for itself.
 */
export async function daemonAccount(folder: string, pid: number | undefined): Promise<DaemonAccount> {
  const me = process.geteuid?.() ?? 0
  const running = pid === undefined ? undefined : await identityOfProcess(pid).catch(() => undefined)
  const owner = running?.uid ?? (await stat(folder).catch(() => undefined))?.uid ?? me
  const identity = me === 0 && owner !== 0 ? (running ?? (await identityOfAccount(owner))) : undefined
  return await accountOf(identity === undefined ? me : owner, identity && accessAs(identity))
}

/** The account that a service will have. */
export async function serviceAccount(uid: number): Promise<DaemonAccount> {
  return await accountOf(uid, accessAs(await identityOfAccount(uid)))
}

async function accountOf(uid: number, ask: AskAccess | undefined): Promise<DaemonAccount> {
  return {
    name: await accountName(uid),
    lacks: async (path, need) => await missingRight(path, need, ask),
  }
}

/** Such as "the account filemgr may not write to /srv/files". */
export function describeLack({ name }: Pick<DaemonAccount, 'name'>, { path, right, code }: MissingRight): string {
  const reason = code === 'EROFS' ? ', which is mounted read-only for it' : ''
  return `the account ${name} may not ${right} ${path}${reason}`
}

/** The command that gives it the right. @param root the folder that it needs, in or below `path` */
export function remedyOf(
  { name }: Pick<DaemonAccount, 'name'>,
  { path, right, code }: MissingRight,
  root: string,
): string {
  if (code === 'EROFS')
    return `mount it writable; a service needs it in ReadWritePaths: filemgr service install ${root}`
  if (right === 'enter') return `setfacl -m u:${name}:x ${path}`
  return `setfacl -R -m u:${name}:rwX,d:u:${name}:rwX ${root}, or chown -R ${name}: ${root}`
}

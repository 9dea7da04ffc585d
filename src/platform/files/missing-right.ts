import { access, constants, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findAccount, groupsOf } from './accounts.ts'

const { R_OK, W_OK, X_OK } = constants

/** Whether an account may use a path: the path, and a mode as for access(2). */
export type AccessQuestion = readonly [path: string, mode: number]
/** Answers with the error code, such as "EACCES"; "" if it may. */
export type AskAccess = (questions: readonly AccessQuestion[]) => Promise<readonly string[]>

export interface MissingRight {
  readonly path: string
  readonly right: 'enter' | 'read' | 'write to'
  /** Such as "EACCES" or "EROFS". */
  readonly code: string
}

/**
 * What keeps an account from reading a path, from writing to it, or from replacing it: a folder above that it may not enter, the
 * folder around it, or the entry itself. Undefined if nothing does, or the path is missing.
 */
export async function missingRight(
  path: string,
  need: 'read' | 'write' | 'replace',
  ask: AskAccess = askOwnAccess,
): Promise<MissingRight | undefined> {
  const folders = foldersAbove(path)
  const questions = [
    ...folders.map((folder) => ({ path: folder, right: 'enter', mode: X_OK }) as const),
    ...(need === 'read' ? [{ path, right: 'read', mode: R_OK } as const] : []),
    ...(need === 'replace' ? [{ path: dirname(path), right: 'write to', mode: W_OK } as const] : []),
    ...(need === 'read' ? [] : [{ path, right: 'write to', mode: W_OK } as const]),
  ]
  const codes = await ask(questions.map((question) => [question.path, question.mode]))
  const found = questions.findIndex((_, index) => !['', 'ENOENT', 'ENOTDIR'].includes(codes[index] ?? ''))
  const question = questions[found]
  return question && { path: question.path, right: question.right, code: codes[found] ?? '' }
}

/** From the root on. */
function foldersAbove(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...foldersAbove(parent), parent]
}

async function askOwnAccess(questions: readonly AccessQuestion[]): Promise<string[]> {
  return await Promise.all(
    questions.map(
      async ([path, mode]) =>
        await access(path, mode).then(
          () => '',
          (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown error',
        ),
    ),
  )
}

/** A process, as far as the kernel checks its access to files. */
interface Identity {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
  /** The folder that it sees as "/": systemd hides parts of the machine from a service. */
  readonly root: string
}

/** The identity of a running process. @throws system errors */
export async function identityOfProcess(pid: number): Promise<Identity> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const ids = (name: string) =>
    (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '').split(/\s+/).filter(Boolean)
  // The effective ids follow the real ones.
  const [, uid] = ids('Uid').map(Number)
  const [, gid] = ids('Gid').map(Number)
  return { uid: uid ?? NaN, gid: gid ?? NaN, groups: ids('Groups').map(Number), root: `/proc/${pid}/root` }
}

/** The identity of an account in a new session. */
export async function identityOfAccount(uid: number): Promise<Identity> {
  const account = (await findAccount(uid)) ?? { uid, gid: uid, name: undefined }
  return { uid, gid: account.gid, groups: await groupsOf(account), root: '/' }
}

/** Becomes the account and asks the kernel, which knows about groups, access lists and mounts. */
const ASK = `
const { accessSync } = require('node:fs')
const { uid, gid, groups, root, questions } = JSON.parse(process.argv[1])
process.chdir(root)
process.setgroups(groups)
process.setgid(gid)
process.setuid(uid)
const codeOf = ([path, mode]) => {
  try {
    accessSync('.' + path, mode)
    return ''
  } catch (error) {
    return error.code
  }
}
process.stdout.write(JSON.stringify(questions.map(codeOf)))
`

/** Answers what another account may do. Only root may ask. */
export function accessAs(identity: Identity): AskAccess {
  return async (questions) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-e',
      ASK,
      JSON.stringify({ ...identity, questions }),
    ])
    return JSON.parse(stdout) as string[]
  }
}

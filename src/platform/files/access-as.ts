import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { AskAccess } from './missing-right.ts'
import { findAccount, groupsOf } from './accounts.ts'

/** A process, as far as the kernel checks its access to files. */
export interface Identity {
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

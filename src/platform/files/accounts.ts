import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Account {
  readonly uid: number
  readonly gid: number
  /** Undefined if the machine does not know the number, as in containers. */
  readonly name: string | undefined
}

/** Looks an account up by its name or number; undefined if the machine knows no such name. */
export async function findAccount(nameOrUid: string | number): Promise<Account | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const found = lines.find(([name, , uid]) => (typeof nameOrUid === 'number' ? Number(uid) : name) === nameOrUid)
  if (found !== undefined) return { uid: Number(found[2]), gid: Number(found[3]), name: found[0] }
  return typeof nameOrUid === 'number' ? { uid: nameOrUid, gid: nameOrUid, name: undefined } : undefined
}

/** The groups of an account besides its own, by their numbers. */
export async function groupsOf({ name }: Account): Promise<number[]> {
  const lines = (await readFile('/etc/group', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  return lines.filter(([, , , members = '']) => members.split(',').includes(name ?? '')).map(([, , gid]) => Number(gid))
}

/** Such as "filemgr", or "1000" if the number has no name. */
export async function accountName(uid: number): Promise<string> {
  return (await findAccount(uid))?.name ?? String(uid)
}

/** The owner of a file or folder, or of the first folder above it that may be looked up. */
export async function ownerOf(path: string): Promise<number | undefined> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined)
    if (found !== undefined) return found.uid
    if (at === dirname(at)) return undefined
  }
}

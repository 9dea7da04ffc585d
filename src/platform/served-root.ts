import { access, constants, stat } from 'node:fs/promises'
import { fail } from '../domain/errors.ts'

/** Whether the folder that is to be served can be written to. @throws INVALID_INPUT when it cannot be served at all */
export async function checkRoot(root: string): Promise<{ writable: boolean }> {
  const problem = await problemOf(root)
  if (problem !== undefined) fail('INVALID_INPUT', `--root: ${root} ${problem}`, { field: 'root' })
  return { writable: await may(root, constants.W_OK) }
}

async function problemOf(root: string): Promise<string | undefined> {
  try {
    if (!(await stat(root)).isDirectory()) return 'is not a folder; name the folder to serve'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; name an existing folder'
    return `cannot be reached (${code ?? 'unknown error'})`
  }
  return (await may(root, constants.R_OK | constants.X_OK)) ? undefined : 'may not be read by this account'
}

async function may(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  )
}

/** "device inode" of what lies at a path; undefined for nothing. */
export async function identityOf(path: string): Promise<string | undefined> {
  return await stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  )
}

/** Whether there is a folder that can be looked at. */
export async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

import { access, chmod, constants, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../../domain/errors.ts'
import { isErrno, unlessErrno } from '../../platform/files/error-code.ts'
import type { StoreLog } from '../store.ts'

/** Permission bits of the group and of others. */
const GROUP_AND_OTHERS = 0o077

/** Matches our files with secret content: documents, their journals, recovery copies, old versions and damaged files. */
const isSecret = (name: string) =>
  /^store\.((v[\w.-]+\.)?json(\.\d+|\.corrupt-.*)?|journal(\.(corrupt|foreign)-.*)?)$/.test(name)

/** Creates the data folder with mode 0700, if it is missing. @throws STORE_INVALID naming the folder */
export async function createDataFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const reason = isErrno(error, 'EEXIST', 'ENOTDIR') ? 'a file is in the way' : 'permission denied'
    fail('STORE_INVALID', `The data folder ${folder} cannot be created: ${reason}. Choose another with --data.`, {
      reason: 'unreachable',
    })
  }
}

/** Not `recursive: true`: if the parent exists and mkdir still reports ENOENT, as in /proc, Node retries forever. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (isErrno(error, 'EEXIST') && (await stat(folder)).isDirectory()) return
    const parent = dirname(folder)
    if (!isErrno(error, 'ENOENT') || (await unlessErrno(stat(parent), 'ENOENT'))) throw error
    await makeFolders(parent)
    await makeFolders(folder)
  }
}

/**
 * Makes sure that only its owner can read the data folder and our files in it, and removes the permissions of others.
 *
 * @throws STORE_INVALID naming the folder, if it is not our data folder or not writable
 */
export async function checkDataFolder(folder: string, log: StoreLog): Promise<void> {
  const found = await stat(folder)
  if (!found.isDirectory()) refuse(folder, 'is not a folder')
  const names = await unlessErrno(readdir(folder), 'EACCES', 'EPERM')
  if (!names || !(await isWritable(folder))) refuse(folder, 'is not writable for this account')
  if ((found.mode & GROUP_AND_OTHERS) !== 0) {
    // If --data names a home folder or /tmp by mistake, its other users must not be locked out.
    const isOurs = names.length === 0 || names.some(isSecret)
    if (!isOurs) refuse(folder, 'is open to other accounts and contains other files than a store')
    await tighten(folder, 0o700, found.uid, folder, log)
  }
  for (const name of names.filter(isSecret)) await checkSecretFile(folder, name, log)
}

async function checkSecretFile(folder: string, name: string, log: StoreLog): Promise<void> {
  const path = join(folder, name)
  // Temporary files of other processes come and go.
  const found = await unlessErrno(lstat(path), 'ENOENT')
  if (!found) return
  if (!found.isFile()) refuse(folder, `holds ${name}, which is not a regular file`)
  if ((found.mode & GROUP_AND_OTHERS) !== 0) await tighten(path, 0o600, found.uid, folder, log)
}

async function tighten(path: string, mode: number, owner: number, folder: string, log: StoreLog): Promise<void> {
  const me = process.geteuid?.()
  if (me !== owner && me !== 0) refuse(folder, `can be read by others (${path}) and belongs to another account`)
  await unlessErrno(chmod(path, mode), 'ENOENT')
  log.info(`${path} was readable by others; its mode is now 0${mode.toString(8)}.`)
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false
    throw error
  }
}

function refuse(folder: string, problem: string): never {
  return fail('STORE_INVALID', `The data folder ${folder} ${problem}. Correct that, or choose another with --data.`, {
    reason: 'unreachable',
  })
}

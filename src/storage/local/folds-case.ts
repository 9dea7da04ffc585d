import { lstat, open, opendir, unlink } from 'node:fs/promises'
import { errorWord } from './os-error.ts'
import { stagedName } from './own-names.ts'
import { at, type Pin } from './pin.ts'

/**
 * Whether a folder's disk does not tell "A" from "a": looks for a name in it by the other case. An empty folder is tried with
 * a file of our own; one that cannot be written to is taken to tell them apart, as all but few disks do.
 */
export async function foldsCase(folder: Pin): Promise<boolean> {
  try {
    return await lookAt(folder)
  } catch (error) {
    if (UNKNOWABLE.includes(errorWord(error) ?? '')) return false
    throw error
  }
}

/** The folder was removed, may not be read or not be written to. */
const UNKNOWABLE = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']

async function lookAt(folder: Pin): Promise<boolean> {
  for await (const { name } of await opendir(at(folder).toString())) {
    if (otherCase(name) !== name && !name.includes('\uFFFD')) return await isSame(folder, name)
  }
  const name = stagedName()
  await (await open(at(folder, name), 'wx', 0o600)).close()
  try {
    return await isSame(folder, name)
  } finally {
    await unlink(at(folder, name))
  }
}

/** Two names of one file may be there, where case counts: the inode decides nothing then, but how often it is named does. */
async function isSame(folder: Pin, name: string): Promise<boolean> {
  try {
    const [one, other] = await Promise.all([name, otherCase(name)].map(async (each) => await lstat(at(folder, each))))
    if (one?.ino !== other?.ino || one?.dev !== other?.dev) return false
    return !(await holds(folder, otherCase(name)))
  } catch (error) {
    if (errorWord(error) === 'ENOENT') return false
    throw error
  }
}

async function holds(folder: Pin, name: string): Promise<boolean> {
  for await (const entry of await opendir(at(folder).toString())) {
    if (entry.name === name) return true
  }
  return false
}

/** With every letter of ASCII in the other case: each disk that folds at all folds those. */
function otherCase(name: string): string {
  return name.replace(/[a-zA-Z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

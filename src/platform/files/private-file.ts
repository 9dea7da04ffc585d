import { writeFile } from 'node:fs/promises'
import { giveNewToFolderOwner } from './folder-owner.ts'
import { unwritable } from './error-code.ts'

/** Writes a new file of a data folder that only the owner of the folder can read. @throws NO_SPACE, FORBIDDEN, STORE_INVALID */
export async function writeNewPrivateFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true })
    giveNewToFolderOwner(path)
  } catch (error) {
    throw unwritable(path, error, 'STORE_INVALID')
  }
}

import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../domain/errors.ts'

/** Writes a file that only its owner can read; one that was there stays whole until the new one is. @throws INVALID_INPUT, NO_SPACE */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(9).toString('base64url')}.fm-tmp`)
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    const word = code === 'ENOSPC' ? 'NO_SPACE' : 'INVALID_INPUT'
    fail(word, `${path} cannot be written (${code})`, { field: 'file' }, { cause: error })
  }
}

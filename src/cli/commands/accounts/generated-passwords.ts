import { constants, lstatSync } from 'node:fs'
import { access, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { isErrno, unwritable } from '../../../platform/files/error-code.ts'
import { systemRandom } from '../../../platform/security/random.ts'
import { formatPasswordsCsv } from './users-files.ts'

/** 20 characters of base64url. */
const MIN_BYTES = 15

/** A random password of at least the required length. */
export function generatePassword(minimumLength: number): string {
  for (;;) {
    const password = systemRandom.token(Math.max(MIN_BYTES, minimumLength))
    // A spreadsheet would take the list's cell for a formula, and a shell the word for a flag.
    if (!password.startsWith('-')) return password
  }
}

/**
 * Writes the only copy of generated passwords to a new file that only its owner can read. It is on the disk when this resolves,
 * so that no account has a password that nobody knows.
 *
 * @throws CONFLICT if the file exists; INVALID_INPUT, NO_SPACE
 */
export async function writePasswordList(path: string, passwords: ReadonlyMap<string, string>): Promise<void> {
  const text = await formatPasswordsCsv(passwords)
  try {
    await using file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  } catch (error) {
    throw isErrno(error, 'EEXIST') ? existing(path) : unwritable(path, error, 'INVALID_INPUT')
  }
}

/** What `writePasswordList` would refuse, without writing. @throws CONFLICT, INVALID_INPUT */
export async function requireNewList(path: string): Promise<void> {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw existing(path)
    await access(dirname(path), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw isFilemgrError(error) ? error : unwritable(path, error, 'INVALID_INPUT')
  }
}

function existing(path: string): FilemgrError {
  return new FilemgrError('CONFLICT', `${path} exists; passwords are only written to a new file`, {
    field: 'generate-passwords',
  })
}

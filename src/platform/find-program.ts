import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { programEnvironment } from './process-environment.ts'

/**
 * The file that `runProcess` would run for this word, if there is one that may be run.
 *
 * @param path folders, separated by colons; those of `programEnvironment` unless given
 */
export async function findProgram(
  word: string,
  path = programEnvironment()['PATH'] ?? '',
): Promise<string | undefined> {
  if (word.includes('/')) return isAbsolute(word) && (await isProgram(word)) ? word : undefined
  for (const folder of path.split(':')) {
    const candidate = join(folder, word)
    if (await isProgram(candidate)) return candidate
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

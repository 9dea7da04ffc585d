import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { programEnvironment } from './process-environment.ts'

/** The file that `runProcess` would run for this word, if there is one that may be run. */
export async function findProgram(word: string): Promise<string | undefined> {
  if (word.includes('/')) return isAbsolute(word) && (await isProgram(word)) ? word : undefined
  for (const folder of (programEnvironment()['PATH'] ?? '').split(':')) {
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

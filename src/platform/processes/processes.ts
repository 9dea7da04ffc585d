import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { getPriority, setPriority } from 'node:os'

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

/** Fixed search path for programs, so that a writable folder in PATH cannot plant one. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What a program needs to know of its surroundings to write and to tell the time as people here do. */
const PASSED_ON = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'HOME', 'TMPDIR'] as const

/** The environment of a program that we start: our own holds secrets (tokens of other services, passwords of a first start). */
export function programEnvironment(
  extra: Readonly<Record<string, string>> = {},
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))
  return { PATH, ...(Object.fromEntries(passed) as Record<string, string>), ...extra }
}

/**
 * Lets others go before this process or thread. One that is further back already stays there: only root may come forward. It
 * is a courtesy, so it does not matter if the machine refuses.
 */
export function stepBack(id: number, niceness: number): void {
  try {
    if (getPriority(id) < niceness) setPriority(id, niceness)
  } catch {
    // A sandbox may forbid the call.
  }
}

import { readlinkSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { getPriority, setPriority } from 'node:os'

/**
 * The executable file that `runProcess` runs for a program name; undefined if there is none.
 *
 * @param path folders, separated by colons; by default those of `programEnvironment`
 */
export async function findProgram(
  name: string,
  path = programEnvironment()['PATH'] ?? '',
): Promise<string | undefined> {
  if (name.includes('/')) return isAbsolute(name) && (await isProgram(name)) ? name : undefined
  for (const folder of path.split(':')) {
    const candidate = join(folder, name)
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

/** A fixed search path: a writable folder in our own PATH could contain a planted program. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Variables that programs inherit: language, time zone and standard folders. */
const INHERITED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'HOME', 'TMPDIR'] as const

/** The environment of programs that we start. They do not inherit ours, because it may contain passwords and tokens. */
export function programEnvironment(
  extra: Readonly<Record<string, string>> = {},
  own: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))
  return { PATH, ...(Object.fromEntries(inherited) as Record<string, string>), ...extra }
}

/**
 * Lowers the priority of a process or thread, unless it is lower already, which only root could undo. Errors are ignored: other
 * work merely gets less of the CPU.
 */
export function lowerPriority(id: number, niceness: number): void {
  try {
    if (getPriority(id) < niceness) setPriority(id, niceness)
  } catch {
    // A sandbox may forbid the call.
  }
}

/**
 * Lowers the priority of the calling thread. Only on Linux, where each thread has its own: elsewhere this would change that of the
 * whole process.
 */
export function lowerThreadPriority(niceness: number): void {
  if (niceness === 0 || process.platform !== 'linux') return
  const thread = readlinkSync('/proc/thread-self').split('/').pop()
  lowerPriority(Number(thread), niceness)
}

import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Lets tests fail, and say what is missing, rather than pass without having run. */
export function needsPrograms(...programs: readonly string[]): void {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length === 0) return
  const setup =
    'on Debian, "npm run test:setup" as root installs them, and with "-- cluster" the servers of tests/cluster'
  throw new Error(`these tests need ${missing.join(', ')}; ${setup}`)
}

/** The program for tests that "npm run test:setup" has built at this path, or that of the system. */
export function programAt(path: string, name: string): string {
  if (existsSync(path)) return path
  needsPrograms(name)
  return name
}

/** As `needsPrograms`, for tests with other accounts. */
export function needsRoot(): void {
  if (process.geteuid?.() !== 0) throw new Error('these tests mount disks and change owners: run them as root')
}

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { it } from 'vitest'

/** Lets a file of tests/system fail, and say what is missing, rather than pass without its tests. */
export function needsPrograms(...programs: readonly string[]): void {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length === 0) return
  throw new Error(`these tests need ${missing.join(', ')}; on Debian, "npm run test:setup" as root installs them`)
}

/** The same for tests with other accounts. */
export function needsRoot(): void {
  if (process.geteuid?.() !== 0) throw new Error('these tests mount disks and change owners: run them as root')
}

/** A test that mounts disks: root may do that on every machine, but not in most containers, where it is skipped. */
export const itOnMounts = it.runIf(mayMount())

function mayMount(): boolean {
  needsRoot()
  const mountPoint = mkdtempSync(join(tmpdir(), 'filemgr-mount-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mountPoint])
  if (status === 0) execFileSync('umount', [mountPoint])
  rmSync(mountPoint, { recursive: true })
  return status === 0
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

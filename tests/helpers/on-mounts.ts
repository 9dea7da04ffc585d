import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'
import { needsRoot } from './needs.ts'

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

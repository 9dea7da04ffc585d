import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SHARED_MEMORY = '/dev/shm'

/** A folder on another disk than the temporary folder, or on the same one if the machine has no other. */
export function folderOnOtherDisk(): { readonly path: string } & Disposable {
  const isOther = existsSync(SHARED_MEMORY) && statSync(SHARED_MEMORY).dev !== statSync(tmpdir()).dev
  const path = mkdtempSync(join(isOther ? SHARED_MEMORY : tmpdir(), 'filemgr-other-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

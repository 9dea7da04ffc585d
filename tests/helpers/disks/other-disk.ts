import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In memory, and on a disk, whichever of them the temporary folder is on. */
const PLACES = ['/dev/shm', '/var/tmp']

/** A folder on another disk than the temporary folder, or on the same one if the machine has no other. */
export function folderOnOtherDisk(): { readonly path: string } & Disposable {
  const { dev } = statSync(tmpdir())
  const place = PLACES.find((place) => existsSync(place) && statSync(place).dev !== dev) ?? tmpdir()
  const path = mkdtempSync(join(place, 'filemgr-other-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

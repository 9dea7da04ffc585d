import { readFile, stat } from 'node:fs/promises'
import { isBeneath } from '../ground.ts'
import { MOUNT_TABLE, mountsIn } from '../mounts.ts'
import type { Location } from './location.ts'

/** What other disks are mounted at a name or beneath it: "device inode" of what shows there. */
export async function mountsAt({ folder, name }: Location): Promise<Set<string>> {
  const top = Buffer.concat([folder.realPath, Buffer.from('/'), Buffer.from(name)])
  const table = await readFile(MOUNT_TABLE, 'latin1')
  const found = new Set<string>()
  for (const mount of mountsIn(table)) {
    const place = Buffer.from(mount.place, 'latin1')
    if (!isBeneath(top, place)) continue
    const { dev, ino } = await stat(place, { bigint: true })
    found.add(`${dev} ${ino}`)
  }
  return found
}

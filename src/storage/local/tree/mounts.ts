import { stat } from '../gated-calls.ts'
import { isBeneath } from '../scope-root.ts'
import { mountsIn, readTable } from '../mounts.ts'
import type { Location } from './location.ts'

/** What other disks are mounted at a name or beneath it: "device inode" of what shows there. */
export async function mountsAt({ folder, name }: Location): Promise<Set<string>> {
  const top = Buffer.concat([folder.realPath, Buffer.from('/'), Buffer.from(name)])
  const found = new Set<string>()
  for (const mount of mountsIn(readTable())) {
    const place = Buffer.from(mount.place, 'latin1')
    if (!isBeneath(top, place)) continue
    const { dev, ino } = await stat(place, { bigint: true })
    found.add(`${dev} ${ino}`)
  }
  return found
}

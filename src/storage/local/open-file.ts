import { constants } from 'node:fs'
import { fail } from '../../domain/errors.ts'
import { nameOf, type VirtualPath } from '../../domain/virtual-path.ts'
import type { Lease } from './descriptors.ts'
import type { Ground } from './ground.ts'
import { LocalFile } from './local-file.ts'
import { reopen } from './pin.ts'
import type { BufferPool } from './pooled-sender.ts'
import { holdEntry } from './resolve.ts'
import { reachable } from './scope-names.ts'

/** @param lease has a descriptor for the file to keep */
export async function openFile(ground: Ground, path: VirtualPath, lease: Lease, pool: BufferPool): Promise<LocalFile> {
  using held = await holdEntry(ground, reachable(path))
  if (held.targetStats.isDirectory()) fail('CONFLICT', 'this is a folder')
  // What is held has had no effect yet. A fifo would be waited for, a device would start.
  if (!held.targetStats.isFile()) fail('FORBIDDEN', 'only regular files can be opened')
  const fd = await reopen(held.target, constants.O_RDONLY)
  const { size, mtimeNs, ino } = held.targetStats
  const name = nameOf(path) || (ground.rootName ?? '')
  return new LocalFile({ fd, name, size: Number(size), modified: mtimeNs, inode: ino, lease: lease.split(1), pool })
}

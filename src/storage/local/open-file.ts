import { constants } from 'node:fs'
import { fail } from '../../domain/errors.ts'
import { nameOf, type VirtualPath } from '../../domain/virtual-path.ts'
import type { Lease } from './descriptors.ts'
import type { ScopeRoot } from './scope-root.ts'
import { LocalFile } from './local-file.ts'
import { reopen } from './handle.ts'
import type { BufferPool } from './pooled-sender.ts'
import { holdEntry } from './resolve.ts'
import { reachable } from './scope-names.ts'

/** @param lease has a descriptor for the file to keep */
export async function openFile(
  scopeRoot: ScopeRoot,
  path: VirtualPath,
  lease: Lease,
  pool: BufferPool,
): Promise<LocalFile> {
  using held = await holdEntry(scopeRoot, reachable(path))
  if (held.targetStats.isDirectory()) fail('CONFLICT', 'this is a folder')
  // What is held has had no effect yet. A fifo would be waited for, a device would start.
  if (!held.targetStats.isFile()) fail('FORBIDDEN', 'only regular files can be opened')
  const fd = await reopen(held.target, constants.O_RDONLY)
  const { size, mtimeNs, ino } = held.targetStats
  const name = nameOf(path) || (scopeRoot.rootName ?? '')
  return new LocalFile({ fd, name, size: Number(size), modified: mtimeNs, inode: ino, lease: lease.split(1), pool })
}

import { added, type Amount, NOTHING, sum } from '../../domain/access/quota.ts'
import { parentOf, relativeTo, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Transfer } from '../access/deeds.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import { missingFolders } from '../access/quotas/folder-room.ts'
import { replacedAt } from '../access/quotas/replacement.ts'
import { checkTree, EVERYTHING, type TreeSize } from '../access/file-checks.ts'

export interface CopySize {
  readonly isDir: boolean
  readonly all: TreeSize
  /** What it takes from a quota, with new folders: of a file that is replaced, only the difference. */
  readonly added: Amount
}

/** Entries in the target of a merge that are looked at; what replaces further ones counts in full. */
const MAX_REPLACED = 100_000

/** Measures what is to be copied, or moved to another user, and checks that rules allow all of it. @throws FORBIDDEN, NOT_FOUND */
export async function measureCopy(quotas: Quotas, transfer: Transfer): Promise<CopySize> {
  const { from, to, replace } = transfer
  const { files: target, path } = to
  const { isDir, size } = await from.files.scope.stat(from.path, { ...from.files.view('/'), sniff: false })
  if (!isDir) {
    const all = { bytes: size, files: 1 }
    const more = added(all, await replacedAt(quotas, { ...to, replace }))
    return { isDir, all, added: sum(more, await newFolders(quotas, target, parentOf(path))) }
  }
  const present = replace && quotas.appliesTo(target.user, path) ? await sizesIn(target, path) : undefined
  let more = await newFolders(quotas, target, path)
  const all = await checkTree(transfer, undefined, (entry, bytes) => {
    const old = present?.get(entry)
    more = sum(more, added({ bytes, files: 1 }, old === undefined ? NOTHING : { bytes: old, files: 1 }))
  })
  return { isDir, all, added: more }
}

async function newFolders(quotas: Quotas, files: FileAccess, folder: VirtualPath): Promise<Amount> {
  return { bytes: 0, files: await missingFolders(quotas, files, folder) }
}

/** The sizes of what is in a folder, by paths in it; 0 for folders. */
async function sizesIn(files: FileAccess, folder: VirtualPath): Promise<ReadonlyMap<VirtualPath, number>> {
  const sizes = new Map<VirtualPath, number>()
  if (!(await files.scope.exists(folder))) return sizes
  for await (const batch of files.scope.walk(folder, EVERYTHING)) {
    for (const { path, size, isDir } of batch) sizes.set(relativeTo(folder, path as VirtualPath), isDir ? 0 : size)
    if (sizes.size >= MAX_REPLACED) break
  }
  return sizes
}

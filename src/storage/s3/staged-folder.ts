import { childOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Scope, StagedFolder } from '../storage.ts'
import { type BucketRoot, find, makeMarker } from './bucket-root.ts'
import { moveTo } from './move-entry.ts'
import { removeFound } from './remove-entry.ts'
import { requirePlaceable, targetAt } from './targets.ts'

/**
 * Creates the folder at the top of the storage, where a sweep finds staged files. The server copies each file once more when it
 * is put in place. Everything is judged before the first change, but a bucket cannot take back what was placed by then: its
 * objects have no identity, by which ours could be told from those that others have written since.
 *
 * @param open opens the operations in the new folder
 */
export async function stageFolder(
  root: BucketRoot,
  folder: VirtualPath,
  open: (root: BucketRoot) => Scope,
): Promise<StagedFolder> {
  const name = root.staged.next()
  const key = `${root.home}${name}`
  const own: BucketRoot = { ...root, prefix: `${key}/`, permits: undefined, realPrefix: ROOT }
  await makeMarker(own, key)
  const scope = open(own)
  return {
    name,
    write: async (to, source, mode) => await scope.write(to, source, mode),
    makeFolder: async (to, mode) => await scope.makeFolder(to, mode),
    async place(items, mode, { accept, signal } = {}) {
      const moves = []
      for (const { from, to } of items) {
        const source = await find(own, childOf(ROOT, from))
        const target = targetAt(root, childOf(folder, to), mode)
        await requirePlaceable(root, source, target)
        moves.push({ source, target })
      }
      for (const { source, target } of moves) await moveTo(root, source, target, { accept, signal })
    },
    [Symbol.asyncDispose]: async () => await removeFound(root, { kind: 'folder', key }, {}),
  }
}

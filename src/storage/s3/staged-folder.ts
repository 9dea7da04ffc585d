import { ROOT } from '../../domain/files/virtual-path.ts'
import type { Scope, StagedFolder } from '../storage.ts'
import { type BucketRoot, find, makeMarker } from './bucket-root.ts'
import { moveTo, removeFound, targetAt } from './transfers.ts'

/**
 * Creates the folder at the top of the storage, where a sweep finds staged files. The server copies each file once more when it
 * is put in place.
 *
 * @param open opens the operations in the new folder
 */
export async function stageFolder(root: BucketRoot, open: (root: BucketRoot) => Scope): Promise<StagedFolder> {
  const key = `${root.home}${root.staged.next()}`
  const own: BucketRoot = { ...root, prefix: `${key}/`, permits: undefined, realPrefix: ROOT }
  await makeMarker(own, key)
  const scope = open(own)
  return {
    write: async (to, source, mode) => await scope.write(to, source, mode),
    makeFolder: async (to, mode) => await scope.makeFolder(to, mode),
    place: async (from, to, mode, { accept } = {}) =>
      await moveTo(root, await find(own, from), targetAt(root, to, mode), { accept }),
    [Symbol.asyncDispose]: async () => await removeFound(root, { kind: 'folder', key }, {}),
  }
}

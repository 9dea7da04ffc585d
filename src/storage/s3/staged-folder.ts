import { fail } from '../../domain/errors.ts'
import { childOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { STOPPING } from '../../platform/limits/job-queue.ts'
import { NEW, PLAN } from '../placement.ts'
import { isStagedName } from '../reserved-names.ts'
import type { Scope, StagedFolder, Work } from '../storage.ts'
import { type BucketRoot, find, folderKey, newKeyOf, putMarker } from './bucket-root.ts'
import { placeAll } from './placement.ts'
import { removeFound } from './remove-entry.ts'
import { undoLeftPlacement } from './placement-plan.ts'

/**
 * Creates the folder at the top of the storage, where a sweep finds staged files. The server copies each file once more when it
 * is put in place.
 *
 * @param open opens the operations in the new folder
 */
export async function stageFolder(
  root: BucketRoot,
  path: VirtualPath,
  { signal }: Pick<Work, 'signal'>,
  open: (root: BucketRoot) => Scope,
): Promise<StagedFolder> {
  const target = await find(root, path)
  if (target.kind === 'file') fail('CONFLICT', 'this is not a folder')
  const name = root.staged.begin()
  const key = `${root.home}${name}`
  await orLeave(root, name, putMarker(root, key))
  const scope = open({ ...root, prefix: `${key}/${NEW}/`, permits: undefined, realPrefix: ROOT })
  const placing = { root, folder: folderKey(root, target.key), staged: `${key}/` }
  return {
    name,
    write: async (to, source, mode) => await scope.write(to, source, mode),
    makeFolder: async (to, mode) => await scope.makeFolder(to, mode),
    open: async (file) => await scope.open(file),
    setFolderTime: async () => undefined,
    place: async (items, mode, work = {}) => {
      for (const { to } of items) newKeyOf(root, childOf(path, to))
      await placeAll(placing, items, mode, work)
    },
    [Symbol.asyncDispose]: async () => {
      // What has been replaced must not be removed before it was put back.
      const isNeeded = async () => (await root.bucket.head(`${key}/${PLAN}`)) !== undefined
      const isLeft = signal?.reason === STOPPING && root.staged.stager !== undefined
      const remove = async () => {
        if (isLeft || (await isNeeded())) root.staged.leaveBehind(name)
        else await removeFound(root, { kind: 'folder', key }, {})
      }
      // How the operation ends does not depend on it.
      await orLeave(root, name, remove()).catch(() => undefined)
      root.staged.end(name)
    },
  }
}

/** Takes back what an earlier run was placing from a staged folder, and removes that. */
export async function unstage(root: BucketRoot, name: string, leftOut: Work['leftOut']): Promise<void> {
  if (!isStagedName(name)) return
  const key = `${root.home}${name}`
  const takeBack = async () => {
    await undoLeftPlacement(root, `${key}/`, leftOut)
    await removeFound(root, { kind: 'folder', key }, {})
  }
  await orLeave(root, name, takeBack())
}

/** What an operation that has failed may have left is swept by the next run. */
async function orLeave({ staged }: Pick<BucketRoot, 'staged'>, name: string, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    staged.leaveBehind(name)
    throw error
  }
}

import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { childOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { STOPPING } from '../../platform/limits/job-queue.ts'
import { NEW, PLAN, KEPT, placeOrUndo, type Step } from '../placement.ts'
import { isStagedName } from '../reserved-names.ts'
import type { Scope, StagedFolder, Work, PlacedItem, PlacingWork, TransferMode } from '../storage.ts'
import { type BucketRoot, find, folderKey, newKeyOf, putMarker, lookUp } from './bucket-root.ts'
import { removeFound } from './remove-entry.ts'
import {
  undoLeftPlacement,
  forgetPlan,
  keyAt,
  type Placing,
  writePlan,
  isPlaced,
  undoPlacement,
} from './placement-plan.ts'
import { inodeOf } from './bucket-file.ts'
import { lockKeys, repeated } from './effects.ts'
import { mapParallel } from './in-parallel.ts'
import type { ListedObject } from './stored-object.ts'
import { isEmptyMarker } from './take-back.ts'
import { requirePlaceable } from './targets.ts'

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
  if (target.kind === 'file') fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
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

/**
 * Puts entries of a staged folder in place: all of them, or none, as on a disk. The plan and what is replaced stay in the staged
 * folder until the last object is in place.
 */
async function placeAll(
  placing: Placing,
  items: readonly PlacedItem[],
  { replace }: Pick<TransferMode, 'replace'>,
  work: PlacingWork,
): Promise<void> {
  const { root } = placing
  const steps: Step[] = []
  for (const item of items) steps.push(...(await judge(placing, item, replace)))
  const plan = { steps, reached: new Set<number>() }
  await work.placing?.([])
  await writePlan(placing, steps)
  await placeOrUndo({
    async carryOut() {
      const numbered = [...steps.entries()]
      // Folders first, which come before their content.
      for (const each of numbered.filter(([, { isFolder }]) => isFolder))
        await carryOut(placing, each, plan.reached, work)
      const files = numbered.filter(([, { isFolder }]) => !isFolder)
      await mapParallel(files, async (each) => await carryOut(placing, each, plan.reached, work))
      throwIfCancelled(work.signal)
      await forgetPlan(placing)
    },
    undo: async () => await undoPlacement(placing, plan, work.leftOut),
    signal: work.signal,
    isResumable: root.staged.stager !== undefined,
  })
}

/** @throws CONFLICT if something is in the way */
async function judge({ root, staged, folder }: Placing, { from, to }: PlacedItem, replace: boolean): Promise<Step[]> {
  const own = { ...root, prefix: `${staged}${NEW}/`, permits: undefined, realPrefix: ROOT }
  const source = await find(own, childOf(ROOT, from))
  const target = { key: folder + to, replace, prepare: async () => undefined }
  await requirePlaceable(root, source, target)
  if (source.kind === 'file') return [await stepOf([from], [to], source.object)]
  const steps: Step[] = []
  for await (const { objects } of root.bucket.pages(`${source.key}/`)) {
    const made = await mapParallel(objects, async (object) => {
      const names = object.key
        .slice(source.key.length + 1)
        .split('/')
        .filter((name) => name !== '')
      return await stepOf([from, ...names], [to, ...names], object)
    })
    steps.push(...made)
  }
  return steps

  async function stepOf(fromNames: string[], toNames: string[], object: ListedObject): Promise<Step> {
    const isFolder = isEmptyMarker(object)
    const to = keyAt(folder, toNames)
    const present = await (isFolder ? root.bucket.first(`${to}/`) : root.bucket.head(to))
    const stored = isFolder ? undefined : ((await root.bucket.head(object.key)) ?? failGone())
    return {
      from: fromNames,
      to: toNames,
      isFolder,
      replaces: present !== undefined,
      entry: { device: 's3', inode: String(inodeOf(object.etag)), birth: '' },
      size: String(object.size),
      modified: String(stored?.modified ?? 0n),
    }
  }
}

async function carryOut(
  { root, staged, folder }: Placing,
  [index, step]: readonly [number, Step],
  reached: Set<number>,
  { signal, accept }: PlacingWork,
): Promise<void> {
  throwIfCancelled(signal)
  const { bucket } = root
  const to = keyAt(folder, step.to)
  if (step.isFolder) {
    using held = await lockKeys(root, to)
    const present = await lookUp(root, to)
    if (present?.kind === 'file') fail('CONFLICT', 'a file is in the way', { reason: 'fileInWay' })
    if (present !== undefined) return
    await held.confirm()
    accept?.()
    reached.add(index)
    await putMarker(root, to)
    return
  }
  let isTried = false
  await repeated(async () => {
    const source = (await bucket.head(keyAt(`${staged}${NEW}/`, step.from), signal)) ?? failGone()
    await using copy = await bucket.beginCopy(source, to, source.modified)
    using held = await lockKeys(root, to)
    const present = await lookUp(root, to)
    if (present?.kind === 'folder') fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
    // It was placed, but the response was lost. Keeping it would remove what it has replaced.
    if (isTried && present !== undefined && isPlaced(present.object, step)) return
    if (present !== undefined && !step.replaces) fail('CONFLICT', 'something with this name is already there')
    if (present === undefined && step.replaces)
      fail('CONFLICT', 'a file that is replaced was removed meanwhile: try again')
    if (present !== undefined) {
      await using kept = await bucket.beginCopy(present.object, `${staged}${KEPT}/${index}`, present.object.modified)
      await kept.place(undefined)
    }
    await held.confirm()
    accept?.()
    reached.add(index)
    isTried = true
    await copy.place(present === undefined ? 'new' : { etag: present.object.etag })
  })
}

function failGone(): never {
  return fail('CONFLICT', 'what was unpacked was removed meanwhile', { reason: 'changed' })
}

import type { Readable } from 'node:stream'
import { fail } from '../../../domain/errors.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import { NEW, PLAN } from '../../placement.ts'
import { isStagedName, reachableSegments } from '../../reserved-names.ts'
import type { Written } from '../../open-file.ts'
import type { PlacedItem, Scope, StagedFolder, TransferMode, Work, WriteMode } from '../../storage.ts'
import { holdFolder } from '../scope/resolve.ts'
import type { OperationRunner } from '../scope/run-operation.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { isSameFile, requireSpace, statsOf, statsOrNothing } from '../system/disk.ts'
import { setFolderTimes } from '../system/file-times.ts'
import { at, hold, HOLD_FOLDER } from '../system/handle.ts'
import { createFolder, createPrivateFolder } from '../system/new-entry.ts'
import { StagedEntry } from './copy-tree.ts'
import { placeAll, type Placing } from './placement.ts'
import { removeTree } from './remove-tree.ts'
import { undoLeftPlacement } from './placement-plan.ts'

/** @param open opens the operations in the new folder */
export async function stageTree(
  runner: OperationRunner,
  path: VirtualPath,
  { length }: Pick<TransferMode, 'length'>,
  work: Pick<Work, 'signal'>,
  open: (scopeRoot: ScopeRoot) => Scope,
): Promise<StagedFolder> {
  const { scopeRoot } = runner
  using folder = await holdFolder(scopeRoot, reachableSegments(path))
  await requireSpace(folder, length)
  await using held = new AsyncDisposableStack()
  // Closed last, since removing the tree needs it.
  held.use(folder.retain())
  const entry = held.use(new StagedEntry(scopeRoot, folder, work))
  await createPrivateFolder(entry)
  const staged = held.use(await hold(at(folder, entry.name), HOLD_FOLDER))
  // Whatever is made in it gets its owner, group and access list from the folder that it will be in.
  using _made = await createFolder({ folder: staged, name: NEW }, 0o700, folder)
  const root = await hold(at(staged, NEW), HOLD_FOLDER)
  const { kept: _, ...outer } = scopeRoot
  const own: ScopeRoot = {
    ...outer,
    folder: root,
    links: 'inside',
    permits: undefined,
    realPrefix: undefined,
    openedPath: undefined,
  }
  const scope = held.use(open(own))
  const moved = held.move()
  // A placement goes on after its caller has given up waiting for the disk.
  let placed: Promise<void> = Promise.resolve()

  const place = async (placing: Placing, items: readonly PlacedItem[], mode: Pick<TransferMode, 'replace'>) => {
    using now = await holdFolder(scopeRoot, reachableSegments(path))
    if (!isSameFile(await statsOf(now), await statsOf(folder)))
      fail('CONFLICT', 'the folder was moved meanwhile', { reason: 'changed' })
    try {
      await placeAll(placing, items, mode)
    } finally {
      // What has been replaced must not be removed before it was put back.
      const plan = statsOrNothing(at(staged, PLAN))
      entry.isNeeded = await plan.then((stats) => stats !== undefined).catch(() => true)
    }
  }

  return {
    name: entry.name,
    write: async (to: VirtualPath, source: Readable, mode: WriteMode): Promise<Written> =>
      await scope.write(to, source, mode),
    makeFolder: async (to, mode) => await scope.makeFolder(to, mode),
    open: async (file) => await scope.open(file),
    setFolderTime: async (to, modified) =>
      await runner.run(to, async () => {
        using made = await holdFolder(own, reachableSegments(to))
        await setFolderTimes(made, { accessed: modified, modified })
      }),
    place: async (items, mode, placing = {}) => {
      await runner.copy(path, { signal: placing.signal }, async ({ signal }) => {
        placed = place({ scopeRoot, folder, staged, work: { ...placing, signal } }, items, mode)
        await placed
      })
    },
    [Symbol.asyncDispose]: async () =>
      await runner.walk(path, {}, async () => {
        await placed.catch(() => undefined)
        await moved.disposeAsync()
      }),
  }
}

/** Removes what `stageTree` of an earlier run has left. */
export async function unstageTree(
  { scopeRoot }: OperationRunner,
  path: VirtualPath,
  name: string,
  leftOut: Work['leftOut'],
): Promise<void> {
  if (!isStagedName(name)) return
  using folder = await holdFolder(scopeRoot, reachableSegments(path))
  await undoLeftPlacement(scopeRoot.effects, { folder, name }, true, leftOut)
  if ((await statsOrNothing(at(folder, name))) !== undefined) await removeTree({ folder, name })
}

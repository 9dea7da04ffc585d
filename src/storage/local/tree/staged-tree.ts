import type { Readable } from 'node:stream'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import { creatableSegments, reachableSegments } from '../../reserved-names.ts'
import type { Scope, StagedFolder, TransferMode, Work, WriteMode, Written } from '../../storage.ts'
import { holdFolder } from '../scope/resolve.ts'
import type { OperationRunner } from '../scope/run-operation.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { requireSpace } from '../system/disk.ts'
import { identityOf } from '../system/entry-identity.ts'
import { lstat, mkdir } from '../system/gated-calls.ts'
import { at, hold, HOLD_FOLDER } from '../system/handle.ts'
import { StagedEntry } from './copy-tree.ts'
import { moveTree, renameEntry, sourceAt, targetAt } from './move-tree.ts'

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
  const staged = held.use(new StagedEntry(scopeRoot, folder, work))
  await mkdir(at(folder, staged.name), 0o700)
  const root = await hold(at(folder, staged.name), HOLD_FOLDER)
  const { kept: _, ...outer } = scopeRoot
  const own: ScopeRoot = {
    ...{ ...outer, folder: root, links: 'inside', permits: undefined, realPrefix: undefined, openedPath: undefined },
  }
  const scope = held.use(open(own))
  const moved = held.move()
  return {
    write: async (to: VirtualPath, source: Readable, mode: WriteMode): Promise<Written> =>
      await scope.write(to, source, mode),
    makeFolder: async (to, mode) => await scope.makeFolder(to, mode),
    place: async (from, to, mode, { accept, placing } = {}) => {
      await runner.copy(to, {}, async (ownWork) => {
        using source = await sourceAt(own, reachableSegments(from))
        await placing?.(identityOf(await lstat(at(source.folder, source.name), { bigint: true })))
        const target = targetAt(scopeRoot, creatableSegments(to), mode)
        if (await renameEntry(scopeRoot, source, target, mode, { accept })) return
        await moveTree(scopeRoot, source, target, mode, { ...ownWork, accept })
      })
    },
    [Symbol.asyncDispose]: async () => await runner.walk(path, {}, async () => await moved.disposeAsync()),
  }
}

import { emptyTrash, removeTrash } from '../../../../src/api/trash.ts'
import type { TrashItem } from '../../../../src/domain/trash.ts'
import { nameOf, parseVirtualPath } from '../../../../src/domain/virtual-path.ts'
import { DeleteForGood } from './prompts/ask-work.ts'
import { runBatch } from './run-batch.ts'
import { tell } from './tell.ts'
import { restoreAll } from './undo.ts'
import type { WorkDeps } from './work-deps.ts'
import type { WorkItem } from './work.ts'

export async function restoreTrash(deps: WorkDeps, items: readonly TrashItem[]): Promise<void> {
  const { outcome, restored } = await restoreAll(deps, items)
  await tell(deps, outcome, {
    success: 'work.restored',
    failure: 'work.notRestored',
    values: { name: restored[0] === undefined ? '' : nameOf(restored[0]) },
    undo: restored.length === 0 ? undefined : { kind: 'made', paths: restored },
  })
}

/** @param all empties the trash at one stroke, also of what has come into it meanwhile */
export async function purgeTrash(deps: WorkDeps, items: readonly TrashItem[], all: boolean): Promise<void> {
  const sure = await deps.ask(DeleteForGood, { items: items.map(itemOf), reason: all ? 'emptying' : 'inTrash' })
  if (sure !== true) return
  const outcome = await runBatch(deps, {
    kind: 'delete',
    items: all ? items.slice(0, 1) : items,
    pathOf: ({ path }) => parseVirtualPath(path),
    act: ({ id }, signal) =>
      all ? deps.client.call(emptyTrash, { signal }) : deps.client.call(removeTrash, { params: { id }, signal }),
  })
  const done = all && outcome.done.length > 0 ? items : outcome.done
  const values = { name: done[0]?.name ?? '' }
  await tell(deps, { ...outcome, done }, { success: 'work.deleted', failure: 'work.notDeleted', values })
}

function itemOf({ path, isDir, size }: TrashItem): WorkItem {
  return { path: parseVirtualPath(path), isDir, size, type: isDir ? '' : 'blob', modified: '' }
}

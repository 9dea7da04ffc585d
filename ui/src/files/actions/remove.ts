import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'
import { changeMany, removeResource } from '../../../../src/api/files/files-changes.ts'
import { changeTrash, emptyTrash, removeTrash } from '../../../../src/api/files/trash.ts'
import type { TrashItem } from '../../../../src/domain/files/trash.ts'
import { nameOf, parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { sharerOf } from '../../api/permissions.ts'
import type { FileActionsDeps, FileItem } from './model.ts'
import { isTrashOff, restoreAll } from './undo/undo.ts'
import { reportOutcome } from './batches/report-outcome.ts'
import { runBatch } from './batches/run-batch.ts'
import { changesOf, RESPOND_ASYNC } from './transfers/plan-transfers.ts'

const DeletePrompt = lazyPrompt(async () => (await import('./prompts/delete-prompt.tsx')).DeletePrompt)

/** Moves items to the trash without asking, since it can be undone. Without a trash it asks and deletes forever. */
export async function removeToTrash(deps: FileActionsDeps, items: readonly FileItem[]): Promise<boolean> {
  const { client, activity } = deps
  const outcome = await runBatch(deps, {
    kind: 'trash',
    items,
    pathOf: ({ path }) => path,
    act: ({ path }, signal) =>
      client.call(removeResource, { params: { '*': path }, query: { trash: 'true' }, headers: RESPOND_ASYNC, signal }),
    actTogether: (all) => client.call(changeMany, changesOf('trash', all)),
    stopsAll: isTrashOff,
    retry: (failed) => void removeToTrash(deps, failed),
  })
  if (outcome.failed.some(({ problem }) => isTrashOff(problem))) {
    activity.drop(outcome.id)
    return await removeForever(deps, items, 'noTrash')
  }
  const paths = outcome.done.map(({ path }) => path)
  // Only its owner can restore what is in a trash.
  const owner = paths[0] && sharerOf(paths[0])
  await reportOutcome(deps, outcome, {
    success: owner === undefined ? 'actions.trashed' : 'actions.trashedOf',
    failure: 'actions.notDeleted',
    values: { name: nameOfFirst(outcome.done), owner: owner ?? '' },
    undo: paths.length === 0 || owner !== undefined ? undefined : { kind: 'trashed', paths },
  })
  return paths.length > 0
}

/** @param reason the user skips the trash, or there is none */
export async function removeForever(
  deps: FileActionsDeps,
  items: readonly FileItem[],
  reason: 'skipsTrash' | 'noTrash' = 'skipsTrash',
): Promise<boolean> {
  const sure = await deps.ask(DeletePrompt, { items, reason })
  return sure === true && (await deleteNow(deps, items))
}

async function deleteNow(deps: FileActionsDeps, items: readonly FileItem[]): Promise<boolean> {
  const outcome = await runBatch(deps, {
    kind: 'delete',
    items,
    pathOf: ({ path }) => path,
    act: ({ path }, signal) =>
      deps.client.call(removeResource, { params: { '*': path }, headers: RESPOND_ASYNC, signal }),
    actTogether: (all) => deps.client.call(changeMany, changesOf('delete', all)),
    retry: (failed) => void deleteNow(deps, failed),
  })
  await reportOutcome(deps, outcome, {
    success: 'actions.deleted',
    failure: 'actions.notDeleted',
    values: { name: nameOfFirst(outcome.done) },
  })
  return outcome.done.length > 0
}

function nameOfFirst([first]: readonly FileItem[]): string {
  return first === undefined ? '' : nameOf(first.path)
}

export async function restoreTrash(deps: FileActionsDeps, items: readonly TrashItem[]): Promise<void> {
  const { outcome, restored } = await restoreAll(deps, items)
  await reportOutcome(deps, outcome, {
    success: 'actions.restored',
    failure: 'actions.notRestored',
    values: { name: restored[0] === undefined ? '' : nameOf(restored[0]) },
    undo: restored.length === 0 ? undefined : { kind: 'made', paths: restored },
  })
}

/** @param all empties the trash in one request, including what was deleted since the page listed it */
export async function purgeTrash(deps: FileActionsDeps, items: readonly TrashItem[], all: boolean): Promise<void> {
  const sure = await deps.ask(DeletePrompt, { items: items.map(itemOf), reason: all ? 'emptying' : 'inTrash' })
  if (sure !== true) return
  const outcome = await runBatch(deps, {
    kind: 'delete',
    items: all ? items.slice(0, 1) : items,
    pathOf: ({ path }) => parseVirtualPath(path),
    act: ({ id }, signal) =>
      all ? deps.client.call(emptyTrash, { signal }) : deps.client.call(removeTrash, { params: { id }, signal }),
    actTogether: (chosen) =>
      deps.client.call(changeTrash, { body: { action: 'delete', ids: chosen.map(({ id }) => id) } }),
  })
  const done = all && outcome.done.length > 0 ? items : outcome.done
  const values = { name: done[0]?.name ?? '' }
  await reportOutcome(deps, { ...outcome, done }, { success: 'actions.deleted', failure: 'actions.notDeleted', values })
}

function itemOf({ path, isDir, size }: TrashItem): FileItem {
  return { path: parseVirtualPath(path), isDir, size, type: isDir ? '' : 'blob', modified: '' }
}

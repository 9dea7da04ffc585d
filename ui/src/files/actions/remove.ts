import { removeResource } from '../../../../src/api/files.ts'
import { nameOf } from '../../../../src/domain/virtual-path.ts'
import { DeleteForGood } from './prompts/ask-work.ts'
import { runBatch } from './run-batch.ts'
import { tell } from './tell.ts'
import { WITHOUT_WAITING } from './transfer-query.ts'
import { isTrashOff } from './trash-off.ts'
import type { WorkDeps } from './work-deps.ts'
import type { WorkItem } from './work.ts'
/** Moves things to the trash, which needs no question because it can be undone. Asks where there is no trash. */
export async function removeToTrash(deps: WorkDeps, items: readonly WorkItem[]): Promise<boolean> {
  const { client, activity } = deps
  const outcome = await runBatch(deps, {
    kind: 'trash',
    items,
    pathOf: ({ path }) => path,
    act: ({ path }, signal) => client.call(removeResource, { params: { '*': path }, query: { trash: 'true' }, signal }),
    stopsAll: isTrashOff,
    retry: (failed) => void removeToTrash(deps, failed),
  })
  if (outcome.failed.some(({ problem }) => isTrashOff(problem))) {
    activity.drop(outcome.id)
    return await removeForGood(deps, items, 'noTrash')
  }
  const paths = outcome.done.map(({ path }) => path)
  await tell(deps, outcome, {
    success: 'work.trashed',
    failure: 'work.notDeleted',
    values: { name: nameOfFirst(outcome.done) },
    undo: paths.length === 0 ? undefined : { kind: 'trashed', paths },
  })
  return paths.length > 0
}

/** @param reason why it is asked: to skip the trash, or because there is none */
export async function removeForGood(
  deps: WorkDeps,
  items: readonly WorkItem[],
  reason: 'skipsTrash' | 'noTrash' = 'skipsTrash',
): Promise<boolean> {
  const sure = await deps.ask(DeleteForGood, { items, reason })
  return sure === true && (await deleteNow(deps, items))
}

async function deleteNow(deps: WorkDeps, items: readonly WorkItem[]): Promise<boolean> {
  const outcome = await runBatch(deps, {
    kind: 'delete',
    items,
    pathOf: ({ path }) => path,
    act: ({ path }, signal) =>
      deps.client.call(removeResource, { params: { '*': path }, headers: WITHOUT_WAITING, signal }),
    retry: (failed) => void deleteNow(deps, failed),
  })
  await tell(deps, outcome, {
    success: 'work.deleted',
    failure: 'work.notDeleted',
    values: { name: nameOfFirst(outcome.done) },
  })
  return outcome.done.length > 0
}

function nameOfFirst([first]: readonly WorkItem[]): string {
  return first === undefined ? '' : nameOf(first.path)
}

import { changeMany, removeResource, transferResource } from '../../../../../src/api/files/files-changes.ts'
import { changeTrash, listTrash, restoreTrash } from '../../../../../src/api/files/trash.ts'
import type { TrashItem } from '../../../../../src/domain/files/trash.ts'
import {
  childOf,
  nameOf,
  parentOf,
  parseVirtualPath,
  type VirtualPath,
} from '../../../../../src/domain/files/virtual-path.ts'
import { LISTINGS } from '../../queries/listing-query.ts'
import type { FailedItem } from '../batches/activity.ts'
import { isJob } from '../../queries/jobs-query.ts'
import { problemOf, problemText, type Problem } from '../../../common/problem-text.ts'
import { type BatchOutcome, runBatch } from '../batches/run-batch.ts'
import { changesOf, transferQuery, RESPOND_ASYNC } from '../transfers/plan-transfers.ts'
import { beginRenames } from '../renames/send-renames.ts'
import type { FileActionsDeps } from '../model.ts'
import type { Change } from './undo-stack.ts'

/** Undoes a change and reports the outcome. */
export async function undoChange(deps: FileActionsDeps, change: Change): Promise<void> {
  const { queries, toasts, text, addedEntries, activity } = deps
  try {
    const { outcome, restored, gone = [] } = await reverse(deps, change)
    await queries.invalidateQueries({ queryKey: LISTINGS })
    void queries.invalidateQueries({ queryKey: ['trash'] })
    void queries.invalidateQueries({ queryKey: ['usage'] })
    const [first] = restored
    if (first !== undefined) {
      const folder = parentOf(first)
      const here = restored.filter((path) => parentOf(path) === folder)
      addedEntries.set({ folder, names: here.map(nameOf) })
    }
    const [failed] = [...outcome.failed, ...gone.map(notFound)]
    if (failed === undefined) toasts.success(text('actions.undone'), { icon: 'undo' })
    else {
      if (outcome.id !== undefined) activity.drop(outcome.id)
      const reason = isTrashOff(failed.problem) ? text('actions.trashOff') : problemText(text, failed.problem)
      toasts.error(`${text('actions.notRestored', { name: nameOf(failed.path) })} ${reason}`)
    }
  } catch (error) {
    toasts.error(problemText(text, problemOf(error)))
  }
}

/** The Undo button of the toast that reports a change. */
export function undoAction(deps: FileActionsDeps, change: Change) {
  const run = (): void => {
    if (deps.undoStack.remove(change)) void undoChange(deps, change)
  }
  return { label: deps.text('actions.undo'), keys: 'Ctrl+Z', run }
}

interface Reversed {
  readonly outcome: Pick<BatchOutcome<unknown>, 'failed'> & { readonly id?: number }
  /** Paths that are back where they were. */
  readonly restored: readonly VirtualPath[]
  /** Paths that are no longer in the trash. */
  readonly gone?: readonly VirtualPath[]
}

async function reverse(deps: FileActionsDeps, change: Change): Promise<Reversed> {
  const { client } = deps
  switch (change.kind) {
    case 'trashed': {
      const items = latestOf(await client.call(listTrash, {}), change.paths)
      const there = new Set(items.map(({ path }) => path))
      return { ...(await restoreAll(deps, items)), gone: change.paths.filter((path) => !there.has(path)) }
    }
    case 'moved': {
      const outcome = await runBatch(deps, {
        kind: 'move',
        items: change.moves,
        pathOf: ({ to }) => to,
        act: ({ from, to }) =>
          client.call(transferResource, {
            params: { '*': to },
            query: transferQuery('move', from, false),
            headers: RESPOND_ASYNC,
          }),
        actTogether: (all) =>
          client.call(
            changeMany,
            changesOf(
              'move',
              all.map(({ from, to }) => ({ path: to, to: from })),
            ),
          ),
      })
      return { outcome, restored: outcome.done.map(({ from }) => from) }
    }
    case 'renamed':
      return await renameBack(deps, change)
    case 'made': {
      const outcome = await runBatch(deps, {
        kind: 'trash',
        items: change.paths,
        pathOf: (path) => path,
        act: (path) => client.call(removeResource, { params: { '*': path }, query: { trash: 'true' } }),
        actTogether: (all) =>
          client.call(
            changeMany,
            changesOf(
              'trash',
              all.map((path) => ({ path })),
            ),
          ),
        stopsAll: isTrashOff,
      })
      return { outcome, restored: [] }
    }
  }
}

async function renameBack(
  deps: FileActionsDeps,
  { folder, renames }: Extract<Change, { kind: 'renamed' }>,
): Promise<Reversed> {
  const back = renames.map(({ from, to }) => ({ from: to, to: from }))
  const { renamed, failed } = await (await beginRenames(deps, folder, back)).ended
  return {
    outcome: {
      failed: failed.map((item) => ({ item, path: childOf(folder, item.from), problem: item.error })),
    },
    restored: renamed.map(({ to }) => childOf(folder, to)),
  }
}

/** Moves items of the trash back to where they were. */
export async function restoreAll(
  deps: FileActionsDeps,
  items: readonly TrashItem[],
): Promise<{ readonly outcome: BatchOutcome<TrashItem>; readonly restored: readonly VirtualPath[] }> {
  const restoredPaths = new Map<TrashItem, string>()
  const outcome = await runBatch(deps, {
    kind: 'restore',
    items,
    pathOf: ({ path }) => parseVirtualPath(path),
    act: async (item, signal) => {
      const params = { id: item.id }
      const reply = await deps.client.call(restoreTrash, { params, headers: RESPOND_ASYNC, signal })
      restoredPaths.set(item, (isJob(reply) ? reply.destination : reply.path) ?? item.path)
      return reply
    },
    actTogether: async (all) => {
      const body = { action: 'restore', ids: all.map(({ id }) => id) } as const
      const outcomes = await deps.client.call(changeTrash, { body })
      for (const [index, item] of all.entries()) restoredPaths.set(item, outcomes[index]?.path ?? item.path)
      return outcomes
    },
  })
  return { outcome, restored: outcome.done.map((item) => parseVirtualPath(restoredPaths.get(item) ?? item.path)) }
}

/** The newest item for each path: the trash lists the latest first. */
function latestOf(trash: readonly TrashItem[], paths: readonly VirtualPath[]): TrashItem[] {
  const wanted = new Set<string>(paths)
  return trash.filter(({ path }) => wanted.delete(path))
}

function notFound(path: VirtualPath): FailedItem {
  return { path, problem: { code: 'NOT_FOUND', message: '' } }
}

/** A move to the trash has invalid input for one reason only: the trash is switched off. */
export function isTrashOff({ code }: Problem): boolean {
  return code === 'INVALID_INPUT'
}

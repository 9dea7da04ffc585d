import { removeResource, transferResource } from '../../../../src/api/files.ts'
import { listTrash, restoreTrash } from '../../../../src/api/trash.ts'
import type { TrashItem } from '../../../../src/domain/trash.ts'
import { nameOf, parentOf, parseVirtualPath, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { FailedItem } from './activity.ts'
import { problemOf, problemText } from './problem-text.ts'
import { type BatchOutcome, runBatch } from './run-batch.ts'
import { isTrashOff } from './trash-off.ts'
import { transferQuery, WITHOUT_WAITING } from './transfer-query.ts'
import type { Done } from './undo-stack.ts'
import type { WorkDeps } from './work-deps.ts'
/** Takes a change back, and says so. */
export async function undoDone(deps: WorkDeps, done: Done): Promise<void> {
  const { queries, toasts, text, arrivals, activity } = deps
  try {
    const { outcome, restored, gone = [] } = await reverse(deps, done)
    await queries.invalidateQueries({ queryKey: ['listing'] })
    void queries.invalidateQueries({ queryKey: ['trash'] })
    void queries.invalidateQueries({ queryKey: ['usage'] })
    const [first] = restored
    if (first !== undefined) {
      const folder = parentOf(first)
      const here = restored.filter((path) => parentOf(path) === folder)
      arrivals.set({ folder, names: here.map(nameOf) })
    }
    const [failed] = [...outcome.failed, ...gone.map(notFound)]
    if (failed === undefined) toasts.success(text('work.undone'), { icon: 'undo' })
    else {
      activity.drop(outcome.id)
      const reason = isTrashOff(failed.problem) ? text('work.trashOff') : problemText(text, failed.problem)
      toasts.error(`${text('work.notRestored', { name: nameOf(failed.path) })} ${reason}`)
    }
  } catch (error) {
    toasts.error(problemText(text, problemOf(error)))
  }
}

interface Reversed {
  readonly outcome: BatchOutcome<unknown>
  /** What is back in its place. */
  readonly restored: readonly VirtualPath[]
  /** What the trash no longer has. */
  readonly gone?: readonly VirtualPath[]
}

async function reverse(deps: WorkDeps, done: Done): Promise<Reversed> {
  const { client } = deps
  switch (done.kind) {
    case 'trashed': {
      const items = latestOf(await client.call(listTrash, {}), done.paths)
      const there = new Set(items.map(({ path }) => path))
      return { ...(await restoreAll(deps, items)), gone: done.paths.filter((path) => !there.has(path)) }
    }
    case 'moved': {
      const outcome = await runBatch(deps, {
        kind: 'move',
        items: done.moves,
        pathOf: ({ to }) => to,
        act: ({ from, to }) =>
          client.call(transferResource, {
            params: { '*': to },
            query: transferQuery('move', from, false),
            headers: WITHOUT_WAITING,
          }),
      })
      return { outcome, restored: outcome.done.map(({ from }) => from) }
    }
    case 'made': {
      const outcome = await runBatch(deps, {
        kind: 'trash',
        items: done.paths,
        pathOf: (path) => path,
        act: (path) => client.call(removeResource, { params: { '*': path }, query: { trash: 'true' } }),
        stopsAll: isTrashOff,
      })
      return { outcome, restored: [] }
    }
  }
}

/** Puts things of the trash back where they were. */
export async function restoreAll(deps: WorkDeps, items: readonly TrashItem[]): Promise<Reversed> {
  const restored: VirtualPath[] = []
  const outcome = await runBatch(deps, {
    kind: 'restore',
    items,
    pathOf: ({ path }) => parseVirtualPath(path),
    act: async ({ id }) => {
      const { path } = await deps.client.call(restoreTrash, { params: { id } })
      restored.push(parseVirtualPath(path))
    },
  })
  return { outcome, restored }
}

/** The newest thing in the trash for each path: the list has the latest first. */
function latestOf(trash: readonly TrashItem[], paths: readonly VirtualPath[]): TrashItem[] {
  const wanted = new Set<string>(paths)
  return trash.filter(({ path }) => wanted.delete(path))
}

function notFound(path: VirtualPath): FailedItem {
  return { path, problem: { code: 'NOT_FOUND', message: '' } }
}

import { nameOf } from '../../../../src/domain/virtual-path.ts'
import type { MessageId } from '../../i18n/use-text.tsx'
import type { BatchOutcome } from './run-batch.ts'
import { problemText } from './problem-text.ts'
import type { Done } from './undo-stack.ts'
import { undoDone } from './undo.ts'
import type { WorkDeps } from './work-deps.ts'

interface Telling {
  /** Said when all went well: of `count` things, the first called `name`. */
  readonly success: MessageId
  /** Said of one thing that failed, called `name`. */
  readonly failure: MessageId
  readonly values?: Readonly<Record<string, string>> | undefined
  /** What can be taken back. */
  readonly undo?: Done | undefined
}

/** Says what has become of several things: a toast, and the activity for those that failed. */
export async function tell<Item>(deps: WorkDeps, outcome: BatchOutcome<Item>, telling: Telling): Promise<void> {
  const { queries, toasts, activity, text, undoStack } = deps
  const { done, failed, id } = outcome
  const { undo } = telling
  if (undo !== undefined) undoStack.push(undo)
  if (done.length > 0) {
    void queries.invalidateQueries({ queryKey: ['usage'] })
    void queries.invalidateQueries({ queryKey: ['trash'] })
  }
  await queries.invalidateQueries({ queryKey: ['listing'] })
  const [first] = failed
  if (first !== undefined && !(outcome.cancelled && first.problem.code === 'CANCELLED')) {
    const show = { label: text('work.show'), run: () => activity.open.set(true) }
    if (failed.length + done.length > 1) {
      toasts.error(text('work.someFailed', { count: failed.length, all: failed.length + done.length }), {
        action: show,
      })
      return
    }
    activity.drop(id)
    const reason = problemText(text, first.problem)
    toasts.error(`${text(telling.failure, { name: nameOf(first.path) })} ${reason}`)
    return
  }
  if (done.length === 0) return
  const action = undo && {
    label: text('work.undo'),
    keys: 'Ctrl+Z',
    run: () => {
      if (undoStack.take(undo)) void undoDone(deps, undo)
    },
  }
  toasts.success(text(telling.success, { count: done.length, ...telling.values }), action && { action })
}

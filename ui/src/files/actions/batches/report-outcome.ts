import { nameOf } from '../../../../../src/domain/files/virtual-path.ts'
import type { MessageId } from '../../../i18n/use-text.tsx'
import { LISTINGS } from '../../queries/listing-query.ts'
import type { BatchOutcome } from './run-batch.ts'
import { detailsOf, problemText } from '../../../common/problem-text.ts'
import type { FileActionsDeps } from '../model.ts'
import { undoAction } from '../undo/undo.ts'
import type { Change } from '../undo/undo-stack.ts'

interface Report {
  /** When all went well; gets `count` and the `name` of the first item. */
  readonly success: MessageId
  /** When the only item failed; gets its `name`. */
  readonly failure: MessageId
  readonly values?: Readonly<Record<string, string>> | undefined
  /** What else to know about the result. */
  readonly note?: string | undefined
  /** The change that Undo reverses. */
  readonly undo?: Change | undefined
}

/** Reports the end of a batch in a toast, with Undo or with a button that shows the failed items. */
export async function reportOutcome<Item>(
  deps: FileActionsDeps,
  outcome: BatchOutcome<Item>,
  report: Report,
): Promise<void> {
  const { queries, toasts, activity, text, undoStack } = deps
  const { done, failed, id } = outcome
  const { undo } = report
  if (undo !== undefined) undoStack.push(undo)
  if (done.length > 0) {
    void queries.invalidateQueries({ queryKey: ['usage'] })
    void queries.invalidateQueries({ queryKey: ['trash'] })
  }
  await queries.invalidateQueries({ queryKey: LISTINGS })
  const [first] = failed
  if (first !== undefined && !(outcome.cancelled && first.problem.code === 'CANCELLED')) {
    const show = { label: text('actions.show'), run: () => activity.open.set(true) }
    if (failed.length + done.length > 1) {
      toasts.error(text('actions.someFailed', { count: failed.length, all: failed.length + done.length }), {
        action: show,
      })
      return
    }
    activity.drop(id)
    const reason = problemText(text, first.problem)
    toasts.error(`${text(report.failure, { name: nameOf(first.path) })} ${reason}`, detailsOf(text, first.problem))
    return
  }
  if (done.length === 0) return
  const action = undo && undoAction(deps, undo)
  const message = text(report.success, { count: done.length, ...report.values })
  toasts.success(report.note === undefined ? message : `${message} · ${report.note}`, action && { action })
}

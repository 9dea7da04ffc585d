import { useUser } from '../../../api/session.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useStore } from '../../../lib/create-store.ts'
import { useFileActions } from '../file-actions-context.tsx'
import type { Target } from '../model.ts'
import { type FileAction, selectionActions, type UsedActions } from './selection-actions.ts'

/** `selectionActions` with the current user, language and clipboard. */
export function useSelectionActions(): (target: Target, files?: UsedActions) => FileAction[] {
  const t = useText()
  const files = useFileActions()
  const permissions = useUser()?.perm
  const clipboard = useStore(files.clipboard)
  return (target, used = files) =>
    permissions === undefined ? [] : selectionActions(used, target, { t, permissions, clipboard })
}

/**
 * The same for keys and the command palette: while nothing is selected, actions that need a selection apply to the
 * focused entry, which is selected first so that the user sees the target.
 */
export function useKeyActions(): (target: Target) => FileAction[] {
  const actionsOf = useSelectionActions()
  return (target) => {
    const focused = target.listed?.focused
    const actions = actionsOf(target)
    if (focused === undefined) return actions
    const own = new Map(actionsOf(focused.target).map(({ id, run }) => [id, run]))
    return actions.map((action) => {
      const run = own.get(action.id)
      if (action.run !== undefined || run === undefined) return action
      const selectAndRun = (): void => {
        focused.select()
        run()
      }
      return { ...action, run: selectAndRun }
    })
  }
}

import { useMayTransfer, usePermissionsAt } from '../../../api/permissions.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useStore } from '../../../lib/create-store.ts'
import { useFileActions } from '../file-actions-context.tsx'
import type { Target } from '../model.ts'
import { type FileAction, isOffered, selectionActions, type UsedActions } from './selection-actions.ts'

/** `selectionActions` with the current user, language and clipboard. */
export function useSelectionActions(): (target: Target, files?: UsedActions) => FileAction[] {
  const t = useText()
  const files = useFileActions()
  const permissionsAt = usePermissionsAt()
  const clipboard = useStore(files.clipboard)
  const mayTransfer = useMayTransfer()
  return (target, used = files) => {
    const only = target.count === 1 ? target.items()[0] : undefined
    const permissions = permissionsAt(only?.path ?? target.folder)
    return selectionActions(used, target, { t, permissions, clipboard, mayTransfer })
  }
}

/**
 * The same for keys and the command palette: while nothing is selected, actions apply to the focused entry if they can. It is
 * selected first so that the user sees the target.
 */
export function useKeyActions(): (target: Target) => FileAction[] {
  const actionsOf = useSelectionActions()
  return (target) => {
    const focused = target.listed?.focused
    const actions = actionsOf(target)
    if (focused === undefined) return actions
    const own = new Map(actionsOf(focused.target).map((action) => [action.id, action]))
    return actions.map((ofFolder) => {
      const action = own.get(ofFolder.id)
      if (action === undefined || !isOffered(action)) return ofFolder
      const selectAndRun = (): void => {
        focused.select()
        action.run()
      }
      return { ...action, run: selectAndRun }
    })
  }
}

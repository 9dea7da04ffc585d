import { NO_PERMISSIONS, type Permission, type Permissions } from '../../../../../src/domain/access/permissions.ts'
import { ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import { placeOf, useMayTransfer, usePermissionsAt } from '../../../api/permissions.ts'
import { isPlace } from '../../../api/places.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useStore } from '../../../lib/create-store.ts'
import { useFileActions } from '../file-actions-context.tsx'
import type { Target } from '../model.ts'
import {
  type ActionContext,
  type FileAction,
  isOffered,
  selectionActions,
  type UsedActions,
} from './selection-actions.ts'

/** `selectionActions` with the current user, language and clipboard. */
export function useSelectionActions(): (target: Target, files?: UsedActions) => FileAction[] {
  const t = useText()
  const files = useFileActions()
  const permissionsAt = usePermissionsAt()
  const clipboard = useStore(files.clipboard)
  const mayTransfer = useMayTransfer()
  return (target, used = files) => {
    const only = target.count === 1 ? target.items()[0] : undefined
    const paths = only === undefined ? foldersOf(target) : [only.path]
    const context: ActionContext = {
      t,
      permissions: common(paths.map(permissionsAt)),
      clipboard,
      mayTransfer: (kind, from, to) =>
        only === undefined ? paths.every((path) => mayTransfer(kind, path, to)) : mayTransfer(kind, from, to),
    }
    if (only === undefined || !isPlace(only.path)) return selectionActions(used, target, context)
    // Beside places there is nothing to paste into.
    return selectionActions(used, target, staying(context)).filter(({ id }) => id !== 'paste')
  }
}

/** By which the user may do something with all of a target: hits of a search may be from several places. */
function foldersOf({ folder, listed, items }: Target): readonly string[] {
  const places = listed === undefined && folder === ROOT ? new Set(items().map(({ path }) => placeOf(path))) : undefined
  return places === undefined || places.size === 0 || places.has('') ? [folder] : [...places]
}

function common([first = NO_PERMISSIONS, ...others]: readonly Permissions[]): Permissions {
  const lacks = (name: Permission): boolean => others.some((other) => !other[name])
  const names = Object.keys(first) as Permission[]
  return { ...first, ...Object.fromEntries(names.filter(lacks).map((name) => [name, false])) }
}

/** A place stays where it is, and its name is given to it. */
function staying(context: ActionContext): ActionContext {
  const { permissions, mayTransfer } = context
  return {
    ...context,
    permissions: { ...permissions, rename: false, delete: false },
    mayTransfer: (kind, ...ends) => kind === 'copy' && mayTransfer(kind, ...ends),
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

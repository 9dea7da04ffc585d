import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { filesHref, lastSegment, parentFolder } from '../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { copyText } from '../../lib/copy-text.ts'
import { groupedEntries } from '../actions/menus/action-groups.ts'
import { useFileActions } from '../actions/file-actions-context.tsx'
import type { FileItem } from '../actions/model.ts'
import { isOffered, type OfferedAction } from '../actions/menus/selection-actions.ts'
import { useSelectionActions } from '../actions/menus/use-selection-actions.ts'
import type { FoundEntry } from './search-run.ts'
import { toFileItem } from './hits.ts'

/** An action that applies to a hit. */
export type FoundAction = Pick<OfferedAction, 'id' | 'label' | 'icon' | 'danger' | 'run'>

/**
 * @param folder the searched folder
 * @param onChange called after a hit was renamed, moved or deleted
 */
export function useFoundActions(folder: string, onChange: () => void) {
  const t = useText()
  const navigateTo = useNavigateTo()
  const toasts = useToasts()
  const files = useFileActions()
  const allActionsOf = useSelectionActions()

  const open = ({ path, isDir }: FoundEntry) => navigateTo(filesHref(isDir ? `${path}/` : path))
  const openFolder = ({ path }: FoundEntry) => {
    navigateTo(filesHref(parentFolder(path)), { reveal: lastSegment(path) })
  }
  const copyPaths = async (entries: readonly FoundEntry[]) => {
    const copied = await copyText(entries.map(({ path }) => path).join('\n'))
    if (copied) toasts.success(t('actions.textCopied'))
    else toasts.error(t('actions.textNotCopied'))
  }
  const thenSearchAgain = async (changed: Promise<unknown>): Promise<void> => {
    if (await changed) onChange()
  }
  const here = {
    ...files,
    rename: async (item: FileItem) => await thenSearchAgain(files.rename(item)),
    moveTo: async (items: readonly FileItem[]) => await thenSearchAgain(files.moveTo(items).then(() => true)),
    remove: async (items: readonly FileItem[]) => await thenSearchAgain(files.remove(items)),
    removeForever: async (items: readonly FileItem[]) => await thenSearchAgain(files.removeForever(items)),
  }
  const actionsOf = (entries: readonly FoundEntry[]): FoundAction[] => {
    const items = entries.map(toFileItem)
    const folderPath = (folder.slice(0, -1) || '/') as VirtualPath
    return allActionsOf({ folder: folderPath, count: items.length, items: () => items, all: false }, here).filter(
      isOffered,
    )
  }
  return {
    open,
    /** Opens the folder of the hit and shows the hit there. */
    openFolder,
    /** The file actions that apply to these entries and that the user may use. */
    actionsOf,
    menuOf(entries: readonly FoundEntry[]): MenuEntry[] {
      const [only] = entries
      if (only === undefined) return []
      const one = [
        { id: 'open', label: t('files.open'), icon: 'eye', keys: 'Enter', run: () => open(only) },
        {
          id: 'openFolder',
          label: t('search.openFolder'),
          icon: 'folder',
          keys: 'Ctrl+Enter',
          run: () => openFolder(only),
        },
      ] as const
      const paths = {
        id: 'copyPath',
        label: t('shell.copyPath'),
        icon: 'copy',
        run: () => void copyPaths(entries),
      } as const
      const count = entries.length
      return [
        { kind: 'heading', label: count === 1 ? lastSegment(only.path) : t('files.selected', { count }) },
        ...groupedEntries([
          ...(count === 1 ? one : []),
          // Without keys, which belong to the listing.
          ...actionsOf(entries).map(({ id, label, icon, danger, run }) => ({ id, label, icon, danger, run })),
          paths,
        ]),
      ]
    },
  }
}

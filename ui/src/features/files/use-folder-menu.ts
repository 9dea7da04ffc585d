import type { Sorting } from '../../../../src/domain/sorting.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useUser } from '../../api/session-context.tsx'
import { useText, type Translate } from '../../i18n/use-text.tsx'
import { type MenuAnchor, type MenuEntry, useMenus } from '../../kit/menu.tsx'
import type { FolderUploads } from './folder-uploads.ts'
import type { Grid } from './grid/use-grid.ts'
import { countSelected, type Selection } from './model/selection.ts'
import { sortMenu } from './toolbar/sort-menu.ts'
import type { SelectionAction } from './toolbar/selection-action.ts'
import type { MakeEntry } from './use-make-entry.ts'

interface FolderMenuOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly actionsOf: (selection: Selection) => readonly SelectionAction[]
  readonly make: MakeEntry
  readonly uploads: FolderUploads
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

export interface FolderMenus {
  /** Of what is selected. */
  ofSelection(selection: Selection, anchor: MenuAnchor): void
  /** Of the folder itself: on empty space. */
  ofFolder(anchor: MenuAnchor): void
}

export function useFolderMenu(options: FolderMenuOptions): FolderMenus {
  const { folder, grid, actionsOf, make, uploads, sorting, onSort } = options
  const t = useText()
  const menus = useMenus()
  const mayCreate = useUser()?.perm.create ?? false
  const ofFolder = (anchor: MenuAnchor): void => {
    const creating: MenuEntry[] = [
      { label: t('files.newFolder'), icon: 'folder-plus', run: () => make('folder') },
      { label: t('files.newFile'), icon: 'file-plus', run: () => make('file') },
      { label: t('files.uploadFiles'), icon: 'upload', run: () => uploads.pick('files', folder) },
      { label: t('files.uploadFolder'), icon: 'upload', run: () => uploads.pick('folder', folder) },
      { kind: 'separator' },
    ]
    const entries: MenuEntry[] = [
      ...(mayCreate ? creating : []),
      { label: t('files.selectAll'), icon: 'select', keys: 'Ctrl+A', run: () => grid.send({ kind: 'selectAll' }) },
      { kind: 'submenu', label: t('files.sortBy'), icon: 'sort', entries: sortMenu(t, sorting, onSort) },
    ]
    menus.open({ label: t('files.folderActions'), anchor, entries })
  }
  const ofSelection = (selection: Selection, anchor: MenuAnchor): void => {
    const actions = actionsOf(selection).map(({ label, icon, keys, run }): MenuEntry => ({ label, icon, keys, run }))
    const heading = headingOf(t, selection, grid.view.names.length)
    const clear = {
      label: t('files.clearSelection'),
      icon: 'x',
      keys: 'Esc',
      run: () => grid.send({ kind: 'clear' }),
    } as const
    const entries: MenuEntry[] = [
      { kind: 'heading', label: heading },
      ...actions,
      ...(actions.length > 0 ? [{ kind: 'separator' } as const] : []),
      clear,
    ]
    menus.open({ label: t('files.selectionActions'), anchor, entries })
  }
  return { ofSelection, ofFolder }
}

function headingOf(t: Translate, selection: Selection, total: number): string {
  const count = countSelected(selection, total)
  const [only] = selection.names
  return count === 1 && !selection.inverted && only !== undefined ? only : t('files.selected', { count })
}

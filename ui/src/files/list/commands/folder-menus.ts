import type { Listing, Resource } from '../../../../../src/domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useSavedFolders, type SavedFolders } from '../../../api/own-account.ts'
import { usePermissions } from '../../../api/permissions.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { type MenuAnchor, type MenuEntry, useMenus, type MenuAction } from '../../../kit/menu/menu.tsx'
import { groupedEntries } from '../../actions/menus/action-groups.ts'
import type { OfferedAction } from '../../actions/menus/selection-actions.ts'
import { useUploads } from '../../uploads/uploads-context.tsx'
import type { CreateEntry } from './folder-buttons.tsx'
import type { Grid } from '../grid/use-grid.ts'
import { countSelected, NOTHING, selectedOf, type Selection } from '../model/selection.ts'
import type { FolderLook } from '../listing/use-look.ts'
import { orderMenu, reachMenu, VIEW_MODES } from '../toolbar/view-options.ts'
import type { Shown } from '../listing/view-preferences.ts'
import { useToasts } from '../../../kit/feedback/toast.tsx'

interface FolderMenusOptions {
  readonly folder: VirtualPath
  readonly listing: Listing
  readonly grid: Grid
  readonly look: FolderLook
  readonly hidden: Shown
  readonly folderSizes: Shown
  readonly make: CreateEntry
  readonly actionsOf: (selection: Selection) => readonly OfferedAction[]
  readonly onFilter: () => void
}

/** The context menus of the folder and of the selection. */
export function useFolderMenus(options: FolderMenusOptions) {
  const { folder, grid, listing, look, hidden, folderSizes, actionsOf, make, onFilter } = options
  const uploads = useUploads()
  const t = useText()
  const menus = useMenus()
  const favouriteOf = useFavourites(useSavedFolders())
  const may = usePermissions()
  const making: MenuEntry[] = [
    { label: t('files.newFolder'), icon: 'folder-plus', run: () => make('folder') },
    { label: t('files.newFile'), icon: 'file-plus', run: () => make('file') },
  ]
  const uploading: MenuEntry[] = [
    { label: t('files.uploadFiles'), icon: 'upload', run: () => uploads.pick('files', folder) },
    { label: t('files.uploadFolder'), icon: 'upload', run: () => uploads.pick('folder', folder) },
    { kind: 'separator' },
  ]
  const views = VIEW_MODES.map(({ value, icon, label }): MenuEntry => {
    return {
      kind: 'choice',
      label: t(label),
      icon,
      checked: value === look.mode,
      run: () => look.change({ mode: value }),
    }
  })
  const sizesChoice: MenuEntry = {
    kind: 'choice',
    label: t('files.showFolderSizes'),
    icon: 'drive',
    checked: folderSizes.shown,
    run: folderSizes.toggle,
  }
  const selecting: MenuEntry[] = [
    { label: t('files.selectAll'), icon: 'select', keys: 'Ctrl+A', run: () => grid.send({ kind: 'selectAll' }) },
    { label: t('files.filter'), icon: 'filter', keys: '/', run: onFilter },
    { kind: 'separator' },
  ]
  return {
    /** The menu of the folder itself, for its button and for a click on empty space. */
    ofFolder(anchor: MenuAnchor) {
      const folderActions = actionsOf(NOTHING).map(entryOf)
      const entries: MenuEntry[] = [
        ...(may.make ? making : []),
        ...(may.create ? uploading : []),
        ...(listing.items.length > 0 ? selecting : []),
        { kind: 'submenu', label: t('files.sortBy'), icon: 'sort', entries: orderMenu(t, look) },
        { kind: 'submenu', label: t('files.view'), icon: 'list', entries: [...views, ...reachMenu(t, look)] },
        { kind: 'choice', label: t('files.showHidden'), icon: 'eye', checked: hidden.shown, run: hidden.toggle },
        sizesChoice,
        { kind: 'separator' },
        favouriteOf(folder),
        ...folderActions,
      ]
      menus.open({ label: t('files.folderActions'), anchor, entries })
    },
    ofSelection(selection: Selection, anchor: MenuAnchor) {
      const only = onlyOne(grid, selection)
      const favourite = only?.isDir === true ? [{ id: 'favourite', ...favouriteOf(childOf(folder, only.name)) }] : []
      const entries: MenuEntry[] = [
        { kind: 'heading', label: only?.name ?? t('files.selected', { count: countOf(grid, selection) }) },
        ...groupedEntries([...actionsOf(selection), ...favourite]),
        { kind: 'separator' },
        { label: t('files.clearSelection'), icon: 'x', keys: 'Esc', run: () => grid.send({ kind: 'clear' }) },
      ]
      menus.open({ label: t('files.selectionActions'), anchor, entries })
    },
  }
}

function entryOf({ label, icon, keys, danger, run }: OfferedAction): MenuEntry {
  return { label, icon, keys, danger, run }
}

function countOf({ view }: Grid, selection: Selection): number {
  return countSelected(selection, view.names.length)
}

function onlyOne(grid: Grid, selection: Selection): Resource | undefined {
  if (countOf(grid, selection) !== 1) return undefined
  const [name] = selectedOf(selection, selection.inverted ? grid.view.names : selection.names)
  return name === undefined ? undefined : grid.entryOf(name)
}

/** The menu entry that adds a folder to the favourites, or removes it. */
export function useFavourites({ favourites, save }: SavedFolders): (folder: VirtualPath) => MenuAction {
  const t = useText()
  const toasts = useToasts()
  return (folder) => {
    const marked = favourites.includes(folder)
    const change = marked ? favourites.filter((each) => each !== folder) : [...favourites, folder]
    return {
      label: t(marked ? 'shell.removeFavourite' : 'shell.addFavourite'),
      icon: marked ? 'star-on' : 'star',
      run: () => void save('favourites', change).catch(() => toasts.error(t('shell.favouriteNotSaved'))),
    }
  }
}

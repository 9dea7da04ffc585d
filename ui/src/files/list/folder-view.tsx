import {
  type ComponentType,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type RefObject,
} from 'react'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { getResource } from '../../../../src/api/files/files.ts'
import type { Listing, Resource } from '../../../../src/domain/files/resource.ts'
import { foldForSearch } from '../../../../src/domain/text/fold.ts'
import { childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { usePermissions } from '../../api/permissions.ts'
import { useUser } from '../../api/session.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useStore } from '../../lib/create-store.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { useFileActions } from '../actions/file-actions-context.tsx'
import { isOffered } from '../actions/menus/selection-actions.ts'
import { useSelectionActions } from '../actions/menus/use-selection-actions.ts'
import { useSmallPicture } from '../actions/picture.tsx'
import { useSharedEntries } from '../queries/shares-query.ts'
import { NewEntriesNote, useAddedEntries, useNewEntries } from './added-entries.tsx'
import { DropOverlay } from './drag/drop-overlay.tsx'
import { useDropZone } from './drag/drop-zone.ts'
import { useRowDrag, useTouchDrag } from './drag/drag-rows.ts'
import { useMarquee } from './drag/use-marquee.ts'
import { FilterBar } from './toolbar/filter-bar.tsx'
import { FloatingUpload, useCreateEntry } from './commands/folder-buttons.tsx'
import { useFolderMenus } from './commands/folder-menus.ts'
import { ColumnsProvider } from './grid/columns/columns.ts'
import { useGridColumns } from './grid/columns/use-columns.ts'
import { entryNameAt, tabStopIn } from './grid/use-grid-handlers.ts'
import { VirtualGrid } from './grid/virtual-grid.tsx'
import { useGrid, useFolderShortcuts } from './grid/use-grid.ts'
import { FolderReadMe } from './folder-read-me.tsx'
import { useFolderSizes, useSizeOrder } from './listing/folder-sizes.ts'
import { initialGrid, useListingMemory } from './listing/listing-memory.ts'
import { countSelected, type Selection } from './model/selection.ts'
import { usePane } from './pane/two-panes.ts'
import { PrintedFolder } from './printed-folder.tsx'
import { useRenameInPlace } from './rename-in-place.tsx'
import { FolderBars } from './toolbar/folder-bars.tsx'
import { useEntryText } from './grid/entry-cell.ts'
import { useLayoutOf, useSpace } from './grid/grid-metrics.ts'
import { useOpenEntry } from './commands/use-open-entry.ts'
import { type QuickLookProps, useQuickLook } from './commands/use-quick-look.ts'
import { useTargetKeys, useTargets } from './commands/use-targets.ts'
import { useLook } from './listing/use-look.ts'
import { useHiddenFiles } from './listing/view-preferences.ts'
import { useGroups } from './sort/use-groups.ts'
import styles from './folder-view.module.css'

const EmptyFolder = lazyComponent(async () => (await import('./commands/empty-folder.tsx')).EmptyFolder)

interface FolderViewProps {
  readonly folder: VirtualPath
  readonly listing: Listing
  /** Identifies this visit in the browser's history. */
  readonly visit: string
  readonly cameFrom: string | null
  readonly QuickLook: ComponentType<QuickLookProps>
}

/** One visit to one folder. */
export function FolderView({ folder, listing, visit, cameFrom, QuickLook }: FolderViewProps) {
  const t = useText()
  const user = useUser()
  const { isActive } = usePane()
  const files = useFileActions()
  const scroll = useRef<HTMLDivElement>(null)
  const space = useSpace(scroll)
  const look = useLook(folder, listing.sorting)
  const { mode, sorting, grouping, columns } = look
  const { sizes, toggle: toggleSizes } = useFolderSizes(folder, listing)
  const text = useEntryText(sizes)
  const [filter, setFilter] = useState<string | null>(null)
  const matches = useFilteredEntries(useSizeOrder(listing, sizes), filter)
  const { entries, groups, titleOf } = useGroups(matches, grouping, sorting)
  const { metrics, layout, page } = useLayoutOf(entries, mode, space, groups)
  const gridColumns = useGridColumns(columns)
  const [lastVisit, remember] = useListingMemory(visit, scroll)
  const [initial] = useState(() => initialGrid(lastVisit, cameFrom, matchMedia('(pointer: coarse)').matches))
  const grid = useGrid(entries, layout, page, initial)
  useEffect(() => remember(grid.state))

  const { create: mayCreate, read: mayRead } = usePermissions()
  const narrow = space?.narrow ?? false
  const opener = useOpenEntry(folder)
  const smallPicture = useSmallPicture()
  const shared = useSharedEntries()
  const hidden = useHiddenFiles()
  const { reveal, show } = useAddedEntries(
    folder,
    grid,
    files.addedEntries,
    lastVisit?.focus === cameFrom ? null : cameFrom,
  )
  const viewKey = [mode, grouping, listing.sorting.by, listing.sorting.asc, filter].join()
  const newEntries = useNewEntries({ grid, metrics, scroll, viewKey, addedEntries: files.addedEntries })
  const make = useCreateEntry(folder)

  const renaming = useRenameInPlace(folder, grid, scroll)
  const focusGrid = (): void => tabStopIn(scroll.current)?.focus({ preventScroll: true })
  const quickLook = useQuickLook({ folder, grid, opener, focusGrid })
  const targetOf = useTargets({
    folder,
    grid,
    opener,
    filtered: filter !== null,
    rename: renaming.rename,
    look: quickLook.toggle,
  })
  const allActionsOf = useSelectionActions()
  const actionsOf = (selection: Selection) => allActionsOf(targetOf(selection)).filter(isOffered)
  const target = targetOf(grid.state.selection)
  useTargetKeys(target)
  const menus = useFolderMenus({
    folder,
    listing,
    grid,
    look,
    hidden,
    make,
    actionsOf,
    folderSizes: { shown: sizes !== undefined, toggle: toggleSizes },
    onFilter: () => setFilter(''),
  })
  useRowDrag({ folder, grid, scroll })
  useTouchDrag({ folder, grid, scroll })
  useMarquee({ grid, metrics, scroll })
  const drop = useDropZone({ folder, grid, scroll })
  useCutMarks(folder)
  useFolderShortcuts({ grid, openParent: useOpenParent(folder), looks: mayRead })
  const openFilter = (): void => setFilter((query) => query ?? '')
  useShortcuts([
    { keys: '/', label: t('files.filterNames'), group: 'act', run: openFilter },
    { keys: 'Ctrl+H', label: t('files.showHidden'), group: 'act', run: hidden.toggle },
    { keys: 'Shift+F10', label: t('files.folderActions'), group: 'act', run: () => menus.ofFolder(cornerOf(scroll)) },
  ])

  const clearOnEmptySpace = (event: MouseEvent): void => {
    if (entryNameAt(event.target) === null && !isControl(event.target)) grid.send({ kind: 'clear' })
  }
  const showFolderMenu = (event: MouseEvent): void => {
    event.preventDefault()
    grid.send({ kind: 'clear' })
    menus.ofFolder({ x: event.clientX, y: event.clientY })
  }
  return (
    <div className={styles['view']} data-listed={folder}>
      {mayCreate && narrow && listing.items.length > 0 && countSelected(grid.state.selection, entries.length) === 0 && (
        <FloatingUpload folder={folder} />
      )}
      <FolderBars
        grid={grid}
        look={look}
        narrow={narrow}
        actions={actionsOf(grid.state.selection)}
        onFilter={openFilter}
        onMore={(element) => menus.ofFolder({ element })}
        onMoreOfSelection={(element) => menus.ofSelection(grid.state.selection, { element })}
      >
        <div ref={scroll} className={styles['scroll']} onClick={clearOnEmptySpace} onContextMenu={showFolderMenu}>
          {listing.items.length === 0 && (
            <LazyBoundary>
              <EmptyFolder folder={folder} mayCreate={mayCreate} make={make} />
            </LazyBoundary>
          )}
          {listing.items.length > 0 && space !== null && (
            <ColumnsProvider value={{ columns, onColumns: (next) => look.change({ columns: next }) }}>
              <VirtualGrid
                key={mode}
                grid={grid}
                mode={mode}
                metrics={metrics}
                narrow={narrow}
                scroll={scroll}
                space={space}
                text={text}
                sorting={sorting}
                onSort={(next) => look.change({ sorting: next })}
                {...gridColumns}
                {...(titleOf && { titleOf })}
                actions={{
                  open: opener.open,
                  showMenu: menus.ofSelection,
                  look: mayRead ? quickLook.toggle : undefined,
                }}
                singleClick={user?.singleClick ?? false}
                initialOffset={lastVisit?.offset ?? 0}
                countsItems
                reveal={reveal}
                quiet={!isActive}
                hrefOf={opener.hrefOf}
                pictureOf={(entry: Resource) => smallPicture(entry, childOf(folder, entry.name))}
                sharedOf={({ name, isDir }) => shared.get(filesHref(childOf(folder, name) + (isDir ? '/' : '')))}
              />
            </ColumnsProvider>
          )}
          {filter === null && mayRead && <OwnReadMe folder={folder} entries={listing.items} />}
        </div>
      </FolderBars>
      {filter !== null && (
        <FilterBar
          query={filter}
          shown={entries.length}
          all={listing.items.length}
          onQuery={setFilter}
          onClose={() => {
            setFilter(null)
            focusGrid()
          }}
          onLeave={focusGrid}
        />
      )}
      {newEntries.unseen.length > 0 && <NewEntriesNote {...newEntries} show={show} />}
      {renaming.field}
      {quickLook.props && <QuickLook {...quickLook.props} />}
      {drop !== null && <DropOverlay {...drop} />}
      <PrintedFolder folder={folder} grid={grid} />
    </div>
  )
}

interface OwnReadMeProps {
  readonly folder: VirtualPath
  readonly entries: readonly Resource[]
}

function OwnReadMe({ folder, entries }: OwnReadMeProps) {
  const client = useClient()
  const raw = useCallback(
    (path: string) => client.url(getRaw, { params: { '*': path }, query: { inline: 'true' } }),
    [client],
  )
  const read = async (path: VirtualPath, signal: AbortSignal) =>
    (await client.call(getResource, { params: { '*': path }, signal })).content
  return <FolderReadMe folder={folder} entries={entries} raw={raw} appPathOf={filesHref} read={read} />
}

/** The entries whose name contains the text; all of them without one. */
function useFilteredEntries(entries: readonly Resource[], filter: string | null): readonly Resource[] {
  return useMemo(() => {
    const query = foldForSearch(filter?.trim() ?? '')
    return query === '' ? entries : entries.filter(({ name }) => foldForSearch(name).includes(query))
  }, [entries, filter])
}

/** A style rule with more names would be too slow. */
const MAX_CUT_MARKS = 2000

/** Fades cut entries until they are pasted. A style rule, since rows are mounted and unmounted by scrolling. */
function useCutMarks(folder: VirtualPath): void {
  const clipboard = useStore(useFileActions().clipboard)
  useEffect(() => {
    if (clipboard?.kind !== 'move') return
    const here = clipboard.items.filter(({ path }) => parentOf(path) === folder).slice(0, MAX_CUT_MARKS)
    if (here.length === 0) return
    const sheet = new CSSStyleSheet()
    const rows = here.map(({ path }) => `[data-entry="${CSS.escape(nameOf(path))}"]`)
    sheet.replaceSync(`[data-listed="${CSS.escape(folder)}"] :is(${rows.join()}) { opacity: 0.6 }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [clipboard, folder])
}

function useOpenParent(folder: VirtualPath): () => void {
  const navigateTo = useNavigateTo()
  return useCallback(() => {
    const parent = parentOf(folder)
    if (folder !== ROOT) navigateTo(filesHref(parent === ROOT ? parent : `${parent}/`))
  }, [folder, navigateTo])
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, input, a, [role=separator]') !== null
}

/** The upper corner of the list, where a menu opened by keys appears. */
function cornerOf(scroll: RefObject<HTMLElement | null>): { x: number; y: number } {
  const { x, y } = scroll.current?.getBoundingClientRect() ?? { x: 0, y: 0 }
  return { x: x + 16, y: y + 16 }
}

import { useEffect, useRef, type RefObject } from 'react'
import type { Listing } from '../../../../../src/domain/resource.ts'
import type { Sorting } from '../../../../../src/domain/sorting.ts'
import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { lazyPart } from '../../../kit/lazy-part.tsx'
import { useShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import type { FolderUploads, MakeEntry } from '../folder-uploads.ts'
import { tabStopIn } from '../grid/drawn-cells.ts'
import type { GridMetrics, ViewMode } from '../grid/grid-metrics.ts'
import type { Grid } from '../grid/use-grid.ts'
import { LatePart } from '../../actions/late-part.tsx'
import type { Selection } from '../model/selection.ts'
import type { SelectionAction } from '../toolbar/selection-action.ts'
import type { Arrivals } from '../use-arrivals.ts'
import type { FolderMenus } from '../use-late-folder.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { useCutMarks } from './use-cut-marks.ts'
import { useDropZone } from './use-drop-zone.ts'
import { useFolderMenu } from './use-folder-menu.ts'
import { useHiddenFiles } from './use-hidden-files.ts'
import { useNewcomers } from './use-newcomers.ts'
import { useRenameInPlace } from './use-rename-in-place.tsx'
import { useRowDrag } from './use-row-drag.ts'

const NewcomersNote = lazyPart(async () => (await import('./newcomers-note.tsx')).NewcomersNote)
const TouchDrag = lazyPart(async () => (await import('./touch-drag.ts')).TouchDrag)
const PrintedFolder = lazyPart(async () => (await import('./printed-folder.tsx')).PrintedFolder)
const FilterBar = lazyPart(async () => (await import('./filter-bar.tsx')).FilterBar)

export interface FolderExtrasProps {
  readonly folder: VirtualPath
  readonly listing: Listing
  readonly grid: Grid
  readonly metrics: GridMetrics
  readonly mode: ViewMode
  readonly scroll: RefObject<HTMLElement | null>
  readonly uploads: FolderUploads
  readonly make: MakeEntry
  readonly actionsOf: (selection: Selection) => readonly SelectionAction[]
  readonly show: Arrivals['show']
  /** What the names are filtered by; null without a filter. */
  readonly filter: string | null
  readonly onFilter: (query: string | null) => void
  readonly onSort: (sorting: Sorting) => void
  readonly onMode: (mode: ViewMode) => void
  readonly ready: (menus: FolderMenus) => void
}

/** What a folder can do beyond showing itself: fetched right after the first rows. */
export function FolderExtras(props: FolderExtrasProps) {
  const { folder, listing, grid, metrics, mode, scroll, uploads, show, filter, onFilter } = props
  const t = useText()
  const mayMove = useUser()?.perm.rename ?? false
  const hidden = useHiddenFiles()
  const menus = useFolderMenu(props, hidden)
  useReady(menus, props.ready)
  useRowDrag({ folder, grid, scroll })
  const drop = useDropZone({ folder, grid, uploads, scroll })
  useCutMarks(folder)
  const renameField = useRenameInPlace(folder, grid, scroll)
  const way = [mode, listing.sorting.by, listing.sorting.asc, filter].join()
  const news = useNewcomers({ grid, metrics, scroll, way, arrivals: uploads.lastArrival })
  useShortcuts([
    { keys: '/', label: t('files.filterNames'), group: 'act', run: () => onFilter(filter ?? '') },
    { keys: 'Ctrl+H', label: t('files.showHidden'), group: 'act', run: hidden.toggle },
    { keys: 'Shift+F10', label: t('files.folderActions'), group: 'act', run: () => menus.ofFolder(anchorOf(scroll)) },
  ])
  const focusGrid = (): void => tabStopIn(scroll.current)?.focus({ preventScroll: true })
  const closeFilter = (): void => {
    onFilter(null)
    focusGrid()
  }
  return (
    <>
      <LatePart fallback={null}>
        <PrintedFolder {...props} />
      </LatePart>
      {news.unseen.length > 0 && (
        <LatePart fallback={null}>
          <NewcomersNote {...news} show={show} />
        </LatePart>
      )}
      {filter !== null && (
        <LatePart>
          <FilterBar
            query={filter}
            shown={grid.entries.length}
            all={listing.items.length}
            onQuery={onFilter}
            onClose={closeFilter}
            onLeave={focusGrid}
          />
        </LatePart>
      )}
      {mayMove && navigator.maxTouchPoints > 0 && (
        <LatePart fallback={null}>
          <TouchDrag folder={folder} grid={grid} scroll={scroll} />
        </LatePart>
      )}
      {renameField}
      {drop.message !== null && <DropOverlay {...drop} />}
    </>
  )
}

/** Hands the menus out once; they stay those of the latest rendering. */
function useReady(menus: FolderMenus, ready: (menus: FolderMenus) => void): void {
  const latest = useRef(menus)
  useEffect(() => {
    latest.current = menus
  })
  useEffect(() => {
    ready({
      ofSelection: (...question) => latest.current.ofSelection(...question),
      ofFolder: (anchor) => latest.current.ofFolder(anchor),
    })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a second call would change nothing
  }, [])
}

/** The upper corner of the listing, where a menu without a pointer opens. */
function anchorOf(scroll: RefObject<HTMLElement | null>): { x: number; y: number } {
  const { x, y } = scroll.current?.getBoundingClientRect() ?? { x: 0, y: 0 }
  return { x: x + 16, y: y + 16 }
}

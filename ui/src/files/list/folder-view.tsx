import { useCallback, useEffect, useRef, useState, type MouseEvent } from 'react'
import type { Listing, Resource } from '../../../../src/domain/resource.ts'
import { childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useUser } from '../../api/session-context.tsx'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { filesHref } from '../../lib/app-path.ts'
import { useNavigateTo } from '../../lib/use-navigate-to.ts'
import { EarlyDrops } from './early-drops.tsx'
import { FolderButtons } from './folder-buttons.tsx'
import type { FolderUploads, MakeEntry } from './folder-uploads.ts'
import { FileGrid } from './grid/file-grid.tsx'
import { useGrid } from './grid/use-grid.ts'
import { entryNameAt } from './grid/use-grid-handlers.ts'
import { LatePart } from '../actions/late-part.tsx'
import { initialGrid } from './listing-memory.ts'
import { countSelected, type Selection } from './model/selection.ts'
import { useWork } from '../actions/late-work.tsx'
import { useSmallPicture } from '../actions/use-small-picture.ts'
import type { WorkAction } from '../actions/work.ts'
import { FolderBars } from './toolbar/folder-bars.tsx'
import type { SelectionAction } from './toolbar/selection-action.ts'
import { useArrivals } from './use-arrivals.ts'
import { useEntryText } from './use-entry-text.ts'
import { useFolderShortcuts } from './use-folder-shortcuts.ts'
import { useFilteredEntries } from './use-filtered-entries.ts'
import { useLateFolder } from './use-late-folder.ts'
import { useLayoutOf } from './use-layout-of.ts'
import { useListingMemory } from './use-listing-memory.ts'
import { useOpenEntry } from './use-open-entry.ts'
import { useOfferedActions, useSelectionActions } from './use-selection-actions.ts'
import { useSorting } from './use-sorting.ts'
import { useSpace } from './use-space.ts'
import { useViewMode } from './use-view-mode.ts'
import styles from './folder-view.module.css'

const EmptyFolder = lazyPart(async () => (await import('./empty-folder.tsx')).EmptyFolder)
const FolderExtras = lazyPart(async () => (await import('./late/folder-extras.tsx')).FolderExtras)

interface FolderViewProps {
  readonly folder: VirtualPath
  readonly listing: Listing
  /** Names this visit in the history of the browser. */
  readonly visit: string
  readonly cameFrom: string | null
  readonly uploads: FolderUploads
}

/** One visit of one folder. */
export function FolderView({ folder, listing, visit, cameFrom, uploads }: FolderViewProps) {
  const user = useUser()
  const work = useWork()
  const scroll = useRef<HTMLDivElement>(null)
  const space = useSpace(scroll)
  const [mode, setMode] = useViewMode()
  const setSorting = useSorting(folder)
  const text = useEntryText()
  const [filter, setFilter] = useState<string | null>(null)
  const entries = useFilteredEntries(listing.items, filter)
  const { metrics, layout, page } = useLayoutOf(entries, mode, space)
  const [left, remember] = useListingMemory(visit, scroll)
  const [initial] = useState(() => initialGrid(left, cameFrom, matchMedia('(pointer: coarse)').matches))
  const grid = useGrid(entries, layout, page, initial)
  useEffect(() => remember(grid.state))

  const mayCreate = user?.perm.create ?? false
  const narrow = space?.narrow ?? false
  const opener = useOpenEntry(folder)
  const smallPicture = useSmallPicture()
  const pictureOf = (entry: Resource) => smallPicture(entry, childOf(folder, entry.name))
  const openParent = useOpenParent(folder)
  const { reveal, show } = useArrivals(folder, grid, uploads.lastArrival, left?.focus === cameFrom ? null : cameFrom)
  const make: MakeEntry = (kind) =>
    void work.make(kind, folder).then((path) => {
      if (path !== undefined && kind === 'file') opener.edit({ name: nameOf(path) })
    })
  const allActionsOf = useSelectionActions({ folder, grid, opener, filtered: filter !== null })
  const actionsOf = (selection: Selection) => allActionsOf(selection).filter(isPossible)
  const allActions = allActionsOf(grid.state.selection)
  const actions = allActions.filter(isPossible)
  const selecting = countSelected(grid.state.selection, entries.length) > 0
  useOfferedActions(allActions, allActionsOf, grid)
  const menus = useLateFolder()
  useFolderShortcuts({ grid, openParent })

  const clearOnEmptySpace = (event: MouseEvent): void => {
    if (entryNameAt(event.target) === null && !isControl(event.target)) grid.send({ kind: 'clear' })
  }
  const showFolderMenu = (event: MouseEvent): void => {
    event.preventDefault()
    grid.send({ kind: 'clear' })
    menus.ofFolder({ x: event.clientX, y: event.clientY })
  }
  return (
    <div className={styles['view']}>
      {mayCreate && (
        <FolderButtons
          folder={folder}
          make={make}
          uploads={uploads}
          floating={!selecting && listing.items.length > 0}
        />
      )}
      <FolderBars
        grid={grid}
        listing={listing}
        mode={mode}
        narrow={narrow}
        actions={actions}
        onMode={setMode}
        onSort={setSorting}
        onFilter={() => setFilter((query) => query ?? '')}
        onMore={(element) => menus.ofFolder({ element })}
        onMoreOfSelection={(element) => menus.ofSelection(grid.state.selection, { element })}
      >
        <div ref={scroll} className={styles['scroll']} onClick={clearOnEmptySpace} onContextMenu={showFolderMenu}>
          {listing.items.length === 0 && (
            <LatePart fallback={null}>
              <EmptyFolder folder={folder} mayCreate={mayCreate} make={make} uploads={uploads} />
            </LatePart>
          )}
          {listing.items.length > 0 && space !== null && (
            <FileGrid
              key={mode}
              grid={grid}
              mode={mode}
              metrics={metrics}
              narrow={narrow}
              scroll={scroll}
              text={text}
              sorting={listing.sorting}
              onSort={setSorting}
              actions={{ open: opener.open, showMenu: menus.ofSelection }}
              singleClick={user?.singleClick ?? false}
              initialOffset={left?.offset ?? 0}
              countsItems
              reveal={reveal}
              hrefOf={opener.hrefOf}
              pictureOf={pictureOf}
            />
          )}
        </div>
      </FolderBars>
      <LatePart fallback={<EarlyDrops folder={folder} grid={grid} uploads={uploads} />}>
        <FolderExtras
          folder={folder}
          listing={listing}
          grid={grid}
          metrics={metrics}
          mode={mode}
          scroll={scroll}
          uploads={uploads}
          make={make}
          actionsOf={actionsOf}
          show={show}
          filter={filter}
          onFilter={setFilter}
          onSort={setSorting}
          onMode={setMode}
          ready={menus.ready}
        />
      </LatePart>
    </div>
  )
}

function useOpenParent(folder: VirtualPath): () => void {
  const navigateTo = useNavigateTo()
  return useCallback(() => {
    const parent = parentOf(folder)
    if (folder !== ROOT) navigateTo(filesHref(parent === ROOT ? parent : `${parent}/`))
  }, [folder, navigateTo])
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, input, a') !== null
}

function isPossible(action: WorkAction): action is SelectionAction {
  return action.run !== undefined
}

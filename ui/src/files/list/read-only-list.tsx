import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../src/domain/files/sorting.ts'
import type { UserView } from '../../../../src/domain/accounts/user.ts'
import type { MenuAnchor } from '../../kit/menu/menu.tsx'
import { FileGrid } from './grid/file-grid.tsx'
import { type GridMetrics, type Lines, useLayoutOf, useSpace } from './grid/grid-metrics.ts'
import { useGrid, useFolderShortcuts } from './grid/use-grid.ts'
import type { GridLayout } from './model/grid-layout.ts'
import { INITIAL_GRID } from './model/grid-state.ts'
import { isSelected, type Selection } from './model/selection.ts'
import { PrintedFolder } from './printed-folder.tsx'
import { useEntryText } from './grid/entry-cell.ts'

/** The selection of a list, and ways to change it. */
export interface ListSelection {
  readonly entries: readonly Resource[]
  /** Every click selects. */
  readonly selecting: boolean
  clear(): void
  beginSelecting(): void
}

export interface ReadOnlyListProps {
  readonly entries: readonly Resource[]
  readonly mode: UserView['viewMode']
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
  /** The scrolling element that contains the list. */
  readonly scroll: RefObject<HTMLElement | null>
  /** The entry that has the focus at first. */
  readonly start: string | null
  readonly onOpen: (entry: Resource) => void
  readonly onOpenParent: () => void
  readonly onSelected: (entries: readonly Resource[]) => void
  readonly onMenu: (entries: readonly Resource[], anchor: MenuAnchor) => void
  hrefOf(entry: Resource): string
  /** The URL of the thumbnail; null shows the icon. */
  pictureOf(entry: Resource): string | null
  /** Bars above and below the list. */
  bars(selection: ListSelection): { readonly above: ReactNode; readonly below?: ReactNode }
}

/** A list for viewing, opening and selecting entries. Looks like the file list but changes nothing. */
export function ReadOnlyList(props: ReadOnlyListProps) {
  const { entries, mode, scroll, start, onOpenParent } = props
  const box = useRef<HTMLDivElement>(null)
  const space = useSpace(box)
  const height = useHeight(scroll)
  const text = useEntryText()
  const { metrics, layout, page } = useLayoutOf(entries, mode, space && { ...space, height })
  const lines = useAllLines(layout, metrics, box)
  const [initial] = useState(() => ({ ...INITIAL_GRID, focus: start, anchor: start }))
  const grid = useGrid(entries, layout, page, initial)
  const { state, send } = grid
  useFolderShortcuts({ grid, openParent: onOpenParent })

  const selected = useMemo(() => selectedBy(state.selection, entries), [state.selection, entries])
  const { onSelected } = props
  useEffect(() => onSelected(selected), [onSelected, selected])
  const bars = props.bars({
    entries: selected,
    selecting: state.multiple,
    clear: () => send({ kind: 'clear' }),
    beginSelecting: () => send({ kind: 'multiple', on: true }),
  })
  return (
    <>
      {bars.above}
      <div ref={box}>
        {space !== null && (
          <FileGrid
            key={mode}
            grid={grid}
            mode={mode}
            lines={lines}
            metrics={metrics}
            narrow={space.narrow}
            text={text}
            sorting={props.sorting}
            onSort={props.onSort}
            actions={{
              open: props.onOpen,
              showMenu: (selection, anchor) => props.onMenu(selectedBy(selection, entries), anchor),
            }}
            singleClick={false}
            countsItems={false}
            reveal={null}
            hrefOf={props.hrefOf}
            pictureOf={props.pictureOf}
          />
        )}
      </div>
      <PrintedFolder grid={grid} />
      {bars.below}
    </>
  )
}

function selectedBy(selection: Selection, entries: readonly Resource[]): Resource[] {
  return entries.filter(({ name }) => isSelected(selection, name))
}

function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const measured = element.current
    if (measured === null) return
    const observer = new ResizeObserver(() => setHeight(measured.clientHeight))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return height
}

/** Renders all lines: the list is loaded page by page, so there are not too many. */
function useAllLines(layout: GridLayout, metrics: GridMetrics, list: RefObject<HTMLElement | null>): Lines {
  return useMemo(() => {
    const sizes = Array.from({ length: layout.lines }, (_, line) => metrics.heightOf(layout.lineAt(line)))
    let height = 0
    const shown = sizes.map((size, index) => ({ index, size, start: (height += size) - size }))
    const scrollTo = (line: number): void => {
      list.current?.querySelector('[role=rowgroup]:last-child')?.children[line]?.scrollIntoView({ block: 'nearest' })
    }
    return { shown, height, isScrolling: () => false, scrollTo }
  }, [layout, metrics, list])
}

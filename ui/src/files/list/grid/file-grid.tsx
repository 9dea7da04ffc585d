import { type ComponentType, type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { useText } from '../../../i18n/use-text.tsx'
import type { SharedAccess } from '../../queries/shares-query.ts'
import { countSelected, isSelected } from '../model/selection.ts'
import { isTabStop } from '../model/grid-state.ts'
import { nextSorting } from '../sort/sort-order.ts'
import type { Reveal } from '../added-entries.tsx'
import { DEFAULT_COLUMNS, type ListColumn } from './list-columns.ts'
import { type GridActions, cellOf, tabStopIn, useGridHandlers } from './use-grid-handlers.ts'
import type { EntryCellProps, EntryText } from './entry-cell.ts'
import type { GridMetrics, Lines, ViewMode } from './grid-metrics.ts'
import { ListBody, ListHead, type ListHeadProps } from './list-view.tsx'
import { TileBody } from './tiles.tsx'
import type { Grid } from './use-grid.ts'
import listStyles from './list.module.css'
import tileStyles from './tiles.module.css'

export interface FileGridProps {
  readonly lines: Lines
  readonly grid: Grid
  readonly mode: ViewMode
  readonly metrics: GridMetrics
  readonly narrow: boolean
  readonly text: EntryText
  readonly actions: GridActions
  readonly singleClick: boolean
  /** Folder cards show their number of items. Visitors may not ask for it. */
  readonly countsItems: boolean
  hrefOf(entry: Resource): string
  pictureOf(entry: Resource): string | null
  sharedOf?(entry: Resource): SharedAccess | undefined
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
  /** Of the list; the usual ones if undefined. */
  readonly columns?: readonly ListColumn[]
  /** The widths of the columns, for a grid. */
  readonly tracks?: string | undefined
  /** The head of the list, if it can do more than sort. */
  readonly Head?: ComponentType<ListHeadProps>
  /** The title of a group; folders and files have their own. */
  titleOf?(group: string): string
  /** The entry to bring to the middle of the view. */
  readonly reveal: Reveal | null
  /** Takes the focus only when it is asked to. */
  readonly quiet?: boolean
}

/** The entries of a folder as a grid with one tab stop. */
export function FileGrid(props: FileGridProps) {
  const { grid, lines, mode, metrics, text, hrefOf, narrow, columns = DEFAULT_COLUMNS, Head = ListHead } = props
  const t = useText()
  const element = useRef<HTMLDivElement>(null)
  const { state, view, entries } = grid
  const handlers = useGridHandlers({ ...props, element })
  useShownFocus(state.focus, focusedLine(grid), element, handlers.wantsFocus, (line) => lines.scrollTo(line))
  useReveal(props.reveal, grid, lines, element, props.quiet)

  const propsOf = (index: number): EntryCellProps | null => {
    const entry = entries[index]
    if (entry === undefined) return null
    return {
      entry,
      index,
      href: hrefOf(entry),
      selected: isSelected(state.selection, entry.name),
      tabStop: isTabStop(state, entry.name, index, view),
      text,
      shared: props.sharedOf?.(entry),
    }
  }
  const selected = countSelected(state.selection, entries.length)
  useFirstFocus(element, selected > 0 || state.multiple, handlers.holdsFocus, props.quiet)
  const list = mode === 'list'
  const titleOf = (group: string) => props.titleOf?.(group) ?? t(group === 'folders' ? 'files.folders' : 'files.files')
  return (
    <div
      ref={element}
      role="grid"
      className={(list ? listStyles : tileStyles)[list ? 'list' : 'tiles']}
      aria-label={t('files.files')}
      aria-rowcount={view.layout.lines + (list ? 1 : 0)}
      aria-colcount={list ? undefined : metrics.columns}
      style={list && !narrow && props.tracks ? ({ '--columns': props.tracks } as CSSProperties) : undefined}
      aria-multiselectable="true"
      data-selecting={state.multiple || selected > 0 || undefined}
      {...handlers.props}
    >
      {list && !narrow && (
        <Head
          sorting={props.sorting}
          columns={columns}
          allSelected={selected === 0 ? false : selected === entries.length || 'mixed'}
          onSort={(column) => props.onSort(nextSorting(props.sorting, column))}
          onSelectAll={(on) => grid.send(on ? { kind: 'selectAll' } : { kind: 'clear' })}
        />
      )}
      {list ? (
        <ListBody
          lines={lines}
          layout={view.layout}
          columns={columns}
          narrow={narrow}
          titleOf={titleOf}
          cellOf={propsOf}
          pictureOf={props.pictureOf}
        />
      ) : (
        <TileBody
          lines={lines}
          layout={view.layout}
          metrics={metrics}
          mode={mode}
          countsItems={props.countsItems}
          titleOf={titleOf}
          cellOf={propsOf}
          pictureOf={props.pictureOf}
        />
      )}
    </div>
  )
}

/** The line with the tab stop; -1 without entries. */
export function focusedLine({ state, view: { layout, indexOf } }: Grid): number {
  if (layout.lines === 0) return -1
  return layout.lineOf(state.focus === null ? 0 : Math.max(0, indexOf(state.focus)))
}

/**
 * Focuses the first entry when a folder opens, unless something else on the page has the focus or the device is a touch
 * screen. Focuses it again when removing the selection toolbar or the focused row has lost the focus.
 */
function useFirstFocus(
  grid: RefObject<HTMLElement | null>,
  selecting: boolean,
  holdsFocus: Readonly<RefObject<boolean>>,
  quiet = false,
): void {
  const done = useRef(false)
  const wasSelecting = useRef(false)
  useEffect(() => {
    if (wasSelecting.current && !selecting) done.current = false
    wasSelecting.current = selecting
    const isFree = document.activeElement === document.body
    const first = done.current && !(holdsFocus.current && isFree) ? null : tabStopIn(grid.current)
    if (first === null) return
    done.current = true
    if (isFree && !quiet && !matchMedia('(pointer: coarse)').matches) first.focus({ preventScroll: true })
  })
}

/** Scrolls added entries into the middle and focuses the first, unless the focus is elsewhere on the page. */
function useReveal(
  reveal: Reveal | null,
  { view }: Grid,
  lines: Lines,
  grid: RefObject<HTMLElement | null>,
  quiet = false,
): void {
  const shown = useRef<Reveal | null>(null)
  useEffect(() => {
    if (reveal === null || reveal === shown.current) return
    const index = view.indexOf(reveal.name)
    if (index === -1) return
    shown.current = reveal
    lines.scrollTo(view.layout.lineOf(index), 'center')
    const active = document.activeElement
    if (!quiet && (active === document.body || active?.matches('[data-entry]') === true))
      cellOf(grid.current, reveal.name)?.focus({ preventScroll: true })
  }, [reveal, view, lines, grid, quiet])
}

/** After a key or a click has moved the focus, brings the entry into view and focuses its element. */
function useShownFocus(
  focus: string | null,
  line: number,
  grid: RefObject<HTMLElement | null>,
  wantsFocus: RefObject<boolean>,
  show: (line: number) => void,
): void {
  useLayoutEffect(() => {
    if (!wantsFocus.current || focus === null) return
    wantsFocus.current = false
    if (line !== -1) show(line)
    cellOf(grid.current, focus)?.focus({ preventScroll: true })
  })
}

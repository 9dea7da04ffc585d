import { type RefObject, useEffect } from 'react'
import { type VirtualPath, childOf } from '../../../../../src/domain/files/virtual-path.ts'
import { useLatest } from '../../../lib/hooks.ts'
import { labelOf, useDragEntries } from '../../actions/drag/drag-entries.ts'
import type { FileItem } from '../../actions/model.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import { isSelected, selectedOf } from '../model/selection.ts'
import { useMayTransfer } from '../../../api/permissions.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useFileActions } from '../../actions/file-actions-context.tsx'

interface RowDragOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

/** Lets entries be dragged out of the list. Dragging an entry that is not selected selects it. */
export function useRowDrag(options: RowDragOptions): void {
  const drag = useDragEntries()
  const latest = useLatest(options)
  const { scroll } = options
  useEffect(() => {
    const element = scroll.current
    if (element === null || drag === null) return
    const listening = new AbortController()
    // Only a mouse drags: a finger scrolls, or selects by a long press.
    const press = (event: PointerEvent): void => {
      const cell = cellAt(event.target)
      if (cell !== null) cell.draggable = event.pointerType === 'mouse'
    }
    const start = (event: DragEvent): void => {
      const name = entryNameAt(event.target)
      if (name !== null && event.dataTransfer !== null) drag(event.dataTransfer, draggedItems(latest.current, name))
    }
    element.addEventListener('pointerdown', press, listening)
    element.addEventListener('dragstart', start, listening)
    return () => listening.abort()
  }, [scroll, drag, latest])
}

/** The dragged entries: the whole selection, or an unselected entry alone, which becomes selected. */
function draggedItems(
  { grid, folder }: { readonly grid: Grid; readonly folder: VirtualPath },
  name: string,
): FileItem[] {
  const { state, view, entryOf, send } = grid
  const selected = isSelected(state.selection, name)
  if (!selected) send({ kind: 'select', names: [name] })
  const names = selected ? selectedOf(state.selection, view.names) : [name]
  return [...names].flatMap((each) => {
    const entry = entryOf(each)
    return entry === undefined ? [] : [{ ...entry, path: childOf(folder, each) }]
  })
}

/** The cell that a press may drag; null on its check box, menu button or name field. */
function cellAt(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element) || target.closest('input, button') !== null) return null
  return target.closest<HTMLElement>('[data-entry]')
}

interface TouchDragOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

/** Drags an entry by a long press and a move, onto folders, breadcrumbs and the sidebar. */
export function useTouchDrag(options: TouchDragOptions): void {
  const t = useText()
  const { dragged } = useFileActions()
  const latest = useLatest({ ...options, t })
  const { scroll } = options
  const mayTransfer = useMayTransfer()
  const mayMove = mayTransfer('move', options.folder)
  useEffect(() => {
    const list = scroll.current
    if (list === null || !mayMove || navigator.maxTouchPoints === 0) return
    const shown = new AbortController()
    const start = (name: string): string => {
      const { t: text, ...options } = latest.current
      const items = draggedItems(options, name)
      dragged.current = items
      return labelOf(text, items)
    }
    // Without its code a finger only scrolls.
    import('./touch-drag.ts').then(
      ({ dragByTouch }) => dragByTouch(list, start, shown.signal),
      () => undefined,
    )
    return () => shown.abort()
  }, [scroll, dragged, latest, mayMove])
}

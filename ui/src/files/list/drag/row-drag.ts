import { useEffect, type RefObject } from 'react'
import { childOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import { useDragEntries } from '../../actions/drag-entries.ts'
import type { FileItem } from '../../actions/file-actions.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import { isSelected, selectedOf } from '../model/selection.ts'

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
      if (name !== null && event.dataTransfer !== null) drag(event.dataTransfer, takeAlong(latest.current, name))
    }
    element.addEventListener('pointerdown', press, listening)
    element.addEventListener('dragstart', start, listening)
    return () => listening.abort()
  }, [scroll, drag, latest])
}

/** What is dragged with an entry: everything selected, or the entry alone, which becomes selected. */
export function takeAlong(
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

/** The entry that a press may drag: not by its check box, its menu button or its name field. */
function cellAt(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element) || target.closest('input, button') !== null) return null
  return target.closest<HTMLElement>('[data-entry]')
}

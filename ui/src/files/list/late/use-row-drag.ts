import { useEffect, useRef, type RefObject } from 'react'
import { childOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useCarry } from '../../actions/use-carry.ts'
import type { WorkItem } from '../../actions/work.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import { isSelected, selectedOf } from '../model/selection.ts'

interface RowDragOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

/** Lets entries be dragged out of the listing. What is not selected is selected by dragging it. */
export function useRowDrag(options: RowDragOptions): void {
  const carry = useCarry()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { scroll } = options
  useEffect(() => {
    const element = scroll.current
    if (element === null || carry === null) return
    const listening = new AbortController()
    // Only a mouse drags: under a finger the same press scrolls, or selects when it rests.
    const press = (event: PointerEvent): void => {
      const cell = cellAt(event.target)
      if (cell !== null) cell.draggable = event.pointerType === 'mouse'
    }
    const start = (event: DragEvent): void => {
      const name = entryNameAt(event.target)
      if (name !== null && event.dataTransfer !== null) carry(event.dataTransfer, takeUp(latest.current, name))
    }
    element.addEventListener('pointerdown', press, listening)
    element.addEventListener('dragstart', start, listening)
    return () => listening.abort()
  }, [scroll, carry])
}

/** What goes along with an entry: all that is selected, or the entry alone, which is selected by it. */
export function takeUp(
  { grid, folder }: { readonly grid: Grid; readonly folder: VirtualPath },
  name: string,
): WorkItem[] {
  const { state, view, entryOf, send } = grid
  const selected = isSelected(state.selection, name)
  if (!selected) send({ kind: 'select', names: [name] })
  const names = selected ? selectedOf(state.selection, view.names) : [name]
  return [...names].flatMap((each) => {
    const entry = entryOf(each)
    return entry === undefined ? [] : [{ ...entry, path: childOf(folder, each) }]
  })
}

/** The entry that a press may drag: not by its check box, its menu or the field of its name. */
function cellAt(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element) || target.closest('input, button') !== null) return null
  return target.closest<HTMLElement>('[data-entry]')
}

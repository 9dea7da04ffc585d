import { type RefObject, useEffect } from 'react'
import { type VirtualPath, childOf } from '../../../../../src/domain/files/virtual-path.ts'
import { useLatest } from '../../../lib/hooks.ts'
import { dragLabel, labelOf, useDragEntries } from '../../actions/drag/drag-entries.ts'
import type { FileItem } from '../../actions/model.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import { isSelected, selectedOf } from '../model/selection.ts'
import { useUser } from '../../../api/session.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { LONG_PRESS, movedAway } from '../../../kit/keyboard/use-long-press.ts'
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

interface Point {
  readonly x: number
  readonly y: number
}

/** Milliseconds between dragover events. Like with a mouse, they repeat while the finger rests. */
const DRAGOVER_INTERVAL = 50

/** Drags an entry by a long press and a move, onto folders, breadcrumbs and the sidebar. */
export function useTouchDrag(options: TouchDragOptions): void {
  const t = useText()
  const { dragged } = useFileActions()
  const latest = useLatest({ ...options, t })
  const { scroll } = options
  const mayMove = useUser()?.perm.rename ?? false
  useEffect(() => {
    const list = scroll.current
    if (list === null || !mayMove || navigator.maxTouchPoints === 0) return
    const begin = (event: TouchEvent): void => {
      const [touch] = event.touches
      const name = entryNameAt(event.target)
      if (touch === undefined || event.touches.length > 1 || name === null || event.target === null) return
      followFinger(event.target, { x: touch.clientX, y: touch.clientY }, event.timeStamp, () => {
        const { t: text, ...list } = latest.current
        const items = draggedItems(list, name)
        dragged.current = items
        return labelOf(text, items)
      })
    }
    list.addEventListener('touchstart', begin, { passive: true })
    return () => list.removeEventListener('touchstart', begin)
  }, [scroll, dragged, latest, mayMove])
}

/**
 * Turns the moves of a finger into drag events for the drop zone. Touch events keep going to the element where the
 * touch began, even after that was removed because another folder opened.
 */
function followFinger(
  target: EventTarget,
  start: Point,
  startTime: number,
  /** Begins the drag and returns the text to show beside the finger. */
  onStart: () => string,
): void {
  const listening = new AbortController()
  let position = start
  let drag: { readonly label: HTMLElement; readonly ticking: ReturnType<typeof setInterval> } | null = null
  const send = (type: 'dragover' | 'drop'): void => {
    const init = {
      bubbles: true,
      cancelable: true,
      clientX: position.x,
      clientY: position.y,
      dataTransfer: new DataTransfer(),
    }
    document.elementFromPoint(position.x, position.y)?.dispatchEvent(new DragEvent(type, init))
  }
  const begin = (): void => {
    const label = dragLabel(onStart())
    Object.assign(label.style, { inset: '0 auto auto 0', zIndex: 'var(--z-toast)', pointerEvents: 'none' })
    drag = { label, ticking: setInterval(() => send('dragover'), DRAGOVER_INTERVAL) }
  }
  const end = (): void => {
    listening.abort()
    if (drag === null) return
    clearInterval(drag.ticking)
    drag.label.remove()
    dispatchEvent(new DragEvent('dragend'))
  }
  const move = (event: TouchEvent): void => {
    const [touch] = event.touches
    if (touch === undefined || event.touches.length > 1) return end()
    position = { x: touch.clientX, y: touch.clientY }
    if (drag === null) {
      const rested = event.timeStamp - startTime >= LONG_PRESS && event.cancelable
      // Keeps the browser from scrolling.
      if (rested) event.preventDefault()
      if (!movedAway(start, position)) return
      if (!rested) return end()
      begin()
    }
    event.preventDefault()
    if (drag !== null) drag.label.style.translate = `${position.x + 12}px ${position.y - 40}px`
  }
  const drop = (event: TouchEvent): void => {
    if (drag !== null) {
      // Keeps the browser from turning the drop into a click.
      event.preventDefault()
      send('drop')
    }
    end()
  }
  const { signal } = listening
  const on = target as HTMLElement
  on.addEventListener('touchmove', move, { signal, passive: false })
  on.addEventListener('touchend', drop, { signal })
  on.addEventListener('touchcancel', end, { signal })
}

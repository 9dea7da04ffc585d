import { useEffect, type RefObject } from 'react'
import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { LONG_PRESS, movedAway } from '../../../lib/long-press.ts'
import { useLatest } from '../../../lib/use-latest.ts'
import { dragLabel, labelOf } from '../../actions/drag-entries.ts'
import { useFileActions } from '../../actions/file-actions-context.tsx'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import type { Grid } from '../grid/use-grid.ts'
import { takeAlong } from './row-drag.ts'

interface TouchDragOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Milliseconds between dragover events, also while the finger rests, as browsers do with a mouse. */
const EVERY = 50

/** A long press on an entry and a move drag it: onto folders, breadcrumbs and the sidebar. */
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
        const { t: text, ...place } = latest.current
        const items = takeAlong(place, name)
        dragged.current = items
        return labelOf(text, items)
      })
    }
    list.addEventListener('touchstart', begin, { passive: true })
    return () => list.removeEventListener('touchstart', begin)
  }, [scroll, dragged, latest, mayMove])
}

/**
 * Turns the moves of one finger into drag events, which the drop zone listens to. Touch events go to the element where the
 * touch began, even after it has left the page because a folder opened on the way.
 */
function followFinger(
  target: EventTarget,
  from: Point,
  began: number,
  /** Begins the drag. @returns the label beside the finger */
  lift: () => string,
): void {
  const listening = new AbortController()
  let at = from
  let drag: { readonly label: HTMLElement; readonly ticking: ReturnType<typeof setInterval> } | null = null
  const send = (type: 'dragover' | 'drop'): void => {
    const place = { bubbles: true, cancelable: true, clientX: at.x, clientY: at.y, dataTransfer: new DataTransfer() }
    document.elementFromPoint(at.x, at.y)?.dispatchEvent(new DragEvent(type, place))
  }
  const begin = (): void => {
    const label = dragLabel(lift())
    Object.assign(label.style, { inset: '0 auto auto 0', zIndex: 'var(--z-toast)', pointerEvents: 'none' })
    drag = { label, ticking: setInterval(() => send('dragover'), EVERY) }
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
    at = { x: touch.clientX, y: touch.clientY }
    if (drag === null) {
      const rested = event.timeStamp - began >= LONG_PRESS && event.cancelable
      // Keeps the browser from scrolling.
      if (rested) event.preventDefault()
      if (!movedAway(from, at)) return
      if (!rested) return end()
      begin()
    }
    event.preventDefault()
    if (drag !== null) drag.label.style.translate = `${at.x + 12}px ${at.y - 40}px`
  }
  const drop = (event: TouchEvent): void => {
    if (drag !== null) {
      // Keeps the browser from making it a click.
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

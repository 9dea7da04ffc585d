import { useEffect, useRef, type RefObject } from 'react'
import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { LONG_PRESS, movedAway } from '../../../lib/long-press.ts'
import { dragLabel } from '../../actions/drag-label.ts'
import { useWork } from '../../actions/late-work.tsx'
import { labelOf } from '../../actions/use-carry.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import type { Grid } from '../grid/use-grid.ts'
import { takeUp } from './use-row-drag.ts'

interface TouchDragProps {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Milliseconds between two events of a drag, also while the finger rests: as browsers do it with a mouse. */
const EVERY = 50

/** A finger that rests on an entry and then moves takes it along: onto folders, and places of the frame. */
export function TouchDrag(props: TouchDragProps): null {
  const t = useText()
  const { dragged } = useWork()
  const latest = useRef({ ...props, t })
  useEffect(() => {
    latest.current = { ...props, t }
  })
  const { scroll } = props
  useEffect(() => {
    const list = scroll.current
    if (list === null) return
    const begin = (event: TouchEvent): void => {
      const [touch] = event.touches
      const name = entryNameAt(event.target)
      if (touch === undefined || event.touches.length > 1 || name === null || event.target === null) return
      followFinger(event.target, { x: touch.clientX, y: touch.clientY }, event.timeStamp, () => {
        const { t: text, ...place } = latest.current
        const items = takeUp(place, name)
        dragged.current = items
        return labelOf(text, items)
      })
    }
    list.addEventListener('touchstart', begin, { passive: true })
    return () => list.removeEventListener('touchstart', begin)
  }, [scroll, dragged])
  return null
}

/**
 * Turns the way of one finger into the events of a drag, which whoever takes drops listens to. The finger's own events
 * go to where it began, even when that is no longer in the page: folders may open on the way.
 */
function followFinger(
  target: EventTarget,
  from: Point,
  began: number,
  /** Begins the drag. @returns what is written beside the finger */
  takeAlong: () => string,
): void {
  const listening = new AbortController()
  let at = from
  let drag: { readonly label: HTMLElement; readonly ticking: ReturnType<typeof setInterval> } | null = null
  const send = (type: 'dragover' | 'drop'): void => {
    const place = { bubbles: true, cancelable: true, clientX: at.x, clientY: at.y, dataTransfer: new DataTransfer() }
    document.elementFromPoint(at.x, at.y)?.dispatchEvent(new DragEvent(type, place))
  }
  const lift = (): void => {
    const label = dragLabel(takeAlong())
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
      // Else the browser begins to scroll.
      if (rested) event.preventDefault()
      if (!movedAway(from, at)) return
      if (!rested) return end()
      lift()
    }
    event.preventDefault()
    if (drag !== null) drag.label.style.translate = `${at.x + 12}px ${at.y - 40}px`
  }
  const drop = (event: TouchEvent): void => {
    if (drag !== null) {
      // Else the browser makes a click of it.
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

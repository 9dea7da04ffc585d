import { LONG_PRESS, movedAway } from '../../../kit/keyboard/use-long-press.ts'
import { dragLabel } from '../../actions/drag/drag-entries.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** Milliseconds between dragover events. Like with a mouse, they repeat while the finger rests. */
const DRAGOVER_INTERVAL = 50

/** @param onStart begins the drag of the entry and returns the text to show beside the finger */
export function dragByTouch(list: HTMLElement, onStart: (name: string) => string, signal: AbortSignal): void {
  const begin = (event: TouchEvent): void => {
    const [touch] = event.touches
    const name = entryNameAt(event.target)
    if (touch === undefined || event.touches.length > 1 || name === null || event.target === null) return
    followFinger(event.target, { x: touch.clientX, y: touch.clientY }, event.timeStamp, () => onStart(name))
  }
  list.addEventListener('touchstart', begin, { passive: true, signal })
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

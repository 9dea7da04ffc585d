import { useRef, type PointerEvent } from 'react'

/** Milliseconds that a press must last to be a long press. */
export const LONG_PRESS = 500
/** Pixels. */
const TOLERANCE = 10

/** True when the pointer has moved too far for a long press. */
export function movedAway(from: { x: number; y: number }, to: { x: number; y: number }): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) > TOLERANCE
}

interface Press {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly timer: ReturnType<typeof setTimeout>
}

/** Selects an entry on a long press. The click that the browser sends at the end of the press must not open it. */
export function useLongPress(onLongPress: (name: string) => void) {
  const press = useRef<Press | null>(null)
  const swallowClick = useRef(false)
  const cancel = (): void => {
    if (press.current !== null) clearTimeout(press.current.timer)
    press.current = null
  }
  return {
    start(event: PointerEvent, name: string | null, withMouse: boolean): void {
      cancel()
      swallowClick.current = false
      if (name === null || event.button !== 0 || (event.pointerType === 'mouse' && !withMouse)) return
      const timer = setTimeout(() => {
        press.current = null
        swallowClick.current = true
        onLongPress(name)
      }, LONG_PRESS)
      press.current = { name, x: event.clientX, y: event.clientY, timer }
    },
    move(event: PointerEvent): void {
      if (press.current !== null && movedAway(press.current, { x: event.clientX, y: event.clientY })) cancel()
    },
    cancel,
    /** True during a press, and after a long press until its click: the system's own menu must not open meanwhile. */
    active: (): boolean => press.current !== null || swallowClick.current,
    /** True once for the click at the end of a long press. */
    consumed(): boolean {
      const swallow = swallowClick.current
      swallowClick.current = false
      return swallow
    },
  }
}

import { useGesture } from '@use-gesture/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { FITTED, nextStep, panTo, SCALE_STEP, type Point, type Stage, type Zoom, zoomTo } from '../model/zoom.ts'

const DOUBLE_TAP = 300
const DOUBLE_TAP_REACH = 30
const MIDDLE: Point = { x: 0, y: 0 }

interface ZoomOptions {
  readonly element: RefObject<HTMLElement | null>
  readonly stage: Stage
  /** A swipe across a picture that is not enlarged; 1 leads to what lies after it. */
  readonly onSwipe: (step: -1 | 1) => void
}

export interface ZoomControl {
  readonly zoom: Zoom
  /** How far a picture that is not enlarged is being swiped. */
  readonly swipe: number
  /** A finger or the mouse holds the picture. */
  readonly held: boolean
  /** By notches of 0.25, about the middle. */
  step(notches: number): void
  reset(): void
}

/** Wheel, pinch, double tap, dragging and swiping over a picture. */
export function useZoom({ element, stage, onSwipe }: ZoomOptions): ZoomControl {
  const [zoom, setZoom] = useState(FITTED)
  const [swipe, setSwipe] = useState(0)
  const [held, setHeld] = useState(false)
  const latest = useRef({ zoom, stage })
  latest.current = { zoom, stage }
  const lastTap = useRef<(Point & { at: number }) | null>(null)
  const scaleTo = (scale: number, at: Point): void => setZoom((now) => zoomTo(now, scale, at, latest.current.stage))

  const tap = (at: Point, time: number): void => {
    const before = lastTap.current
    const near = before !== null && Math.hypot(at.x - before.x, at.y - before.y) < DOUBLE_TAP_REACH
    if (near && time - before.at < DOUBLE_TAP) {
      lastTap.current = null
      scaleTo(nextStep(latest.current.zoom.scale), at)
    } else lastTap.current = { ...at, at: time }
  }

  useGesture(
    {
      onDrag: ({ memo, movement: [x, y], swipe: [swiped], tap: tapped, xy, last, pinching, cancel, timeStamp }) => {
        const begin = (memo as Zoom | undefined) ?? latest.current.zoom
        if (pinching) {
          setSwipe(0)
          cancel()
          return begin
        }
        setHeld(!last)
        if (tapped) tap(fromMiddle(element.current, xy), timeStamp)
        else if (begin.scale > 1.01) {
          setZoom((now) => panTo(now, { x: begin.x + x, y: begin.y + y }, latest.current.stage))
        } else {
          setSwipe(last ? 0 : x)
          const far = Math.abs(x) > latest.current.stage.box.width / 3 && Math.abs(x) > Math.abs(y) * 2
          const direction = swiped !== 0 ? swiped : far ? Math.sign(x) : 0
          if (last && direction !== 0) onSwipe(towards(direction))
        }
        return begin
      },
      onPinch: ({ memo, movement: [scale], origin, last }) => {
        const begin = (memo as Zoom | undefined) ?? latest.current.zoom
        setHeld(!last)
        const at = fromMiddle(element.current, origin)
        setZoom(zoomTo(begin, begin.scale * scale, at, latest.current.stage))
        // A picture that was pinched to less than fits springs back.
        if (last && begin.scale * scale < 1) setZoom(FITTED)
        return begin
      },
    },
    { target: element, drag: { filterTaps: true, pointer: { capture: true } }, eventOptions: { passive: false } },
  )

  useEffect(() => {
    const place = element.current
    if (place === null) return
    const wheel = (event: WheelEvent): void => {
      event.preventDefault()
      // With Ctrl it is the pinch of a touch pad.
      if (event.ctrlKey) return
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY
      const notches = Math.min(1, Math.max(-1, lines))
      const at = fromMiddle(place, [event.clientX, event.clientY])
      setZoom((now) => zoomTo(now, now.scale - notches * SCALE_STEP, at, latest.current.stage))
    }
    place.addEventListener('wheel', wheel, { passive: false })
    return () => place.removeEventListener('wheel', wheel)
  }, [element])

  return {
    zoom,
    swipe,
    held,
    step: (notches) => scaleTo(latest.current.zoom.scale + notches * SCALE_STEP, MIDDLE),
    reset: () => setZoom(FITTED),
  }
}

function fromMiddle(element: HTMLElement | null, [x, y]: readonly [number, number]): Point {
  const box = element?.getBoundingClientRect()
  return box === undefined ? MIDDLE : { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
}

/** A picture pushed to the left makes room for the one after it; in a page from right to left for the one before. */
function towards(direction: number): -1 | 1 {
  const leftwards = direction < 0
  return leftwards === (document.documentElement.dir !== 'rtl') ? 1 : -1
}

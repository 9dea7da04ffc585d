import { useGesture } from '@use-gesture/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { FITTED, nextStep, panTo, type Point, SCALE_STEP, type Stage, type Zoom, zoomTo } from './zoom.ts'

const DOUBLE_TAP = 300
const DOUBLE_TAP_REACH = 30
const CENTRE: Point = { x: 0, y: 0 }

interface ZoomOptions {
  readonly element: RefObject<HTMLElement | null>
  readonly stage: Stage
  /** A swipe across a picture that is not enlarged; 1 means to the next file. */
  readonly onSwipe: (step: -1 | 1) => void
}

/** Zooms and moves a picture by wheel, pinch, double tap, drag and swipe. */
export function useZoom({ element, stage, onSwipe }: ZoomOptions) {
  const [zoom, setZoom] = useState(FITTED)
  const [swipe, setSwipe] = useState(0)
  const [grabbed, setGrabbed] = useState(false)
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
        setGrabbed(!last)
        if (tapped) tap(fromCentre(element.current, xy), timeStamp)
        else if (begin.scale > 1.01) {
          setZoom((now) => panTo(now, { x: begin.x + x, y: begin.y + y }, latest.current.stage))
        } else {
          setSwipe(last ? 0 : x)
          const far = Math.abs(x) > latest.current.stage.box.width / 3 && Math.abs(x) > Math.abs(y) * 2
          const direction = swiped !== 0 ? swiped : far ? Math.sign(x) : 0
          if (last && direction !== 0) onSwipe(stepOf(direction))
        }
        return begin
      },
      onPinch: ({ memo, movement: [scale], origin, last }) => {
        const begin = (memo as Zoom | undefined) ?? latest.current.zoom
        setGrabbed(!last)
        const at = fromCentre(element.current, origin)
        setZoom(zoomTo(begin, begin.scale * scale, at, latest.current.stage))
        // A picture pinched smaller than the window springs back.
        if (last && begin.scale * scale < 1) setZoom(FITTED)
        return begin
      },
    },
    { target: element, drag: { filterTaps: true, pointer: { capture: true } }, eventOptions: { passive: false } },
  )

  useEffect(() => {
    const target = element.current
    if (target === null) return
    const wheel = (event: WheelEvent): void => {
      event.preventDefault()
      // Browsers report a touchpad pinch as wheel with Ctrl.
      if (event.ctrlKey) return
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY
      const notches = Math.min(1, Math.max(-1, lines))
      const at = fromCentre(target, [event.clientX, event.clientY])
      setZoom((now) => zoomTo(now, now.scale - notches * SCALE_STEP, at, latest.current.stage))
    }
    target.addEventListener('wheel', wheel, { passive: false })
    return () => target.removeEventListener('wheel', wheel)
  }, [element])

  return {
    zoom,
    /** Pixels by which a picture that is not enlarged is being swiped. */
    swipe,
    /** A finger or the mouse holds the picture. */
    grabbed,
    /** Zooms by notches of 0.25 about the centre. */
    step: (notches: number) => scaleTo(latest.current.zoom.scale + notches * SCALE_STEP, CENTRE),
    reset: () => setZoom(FITTED),
  }
}

function fromCentre(element: HTMLElement | null, [x, y]: readonly [number, number]): Point {
  const box = element?.getBoundingClientRect()
  return box === undefined ? CENTRE : { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
}

/** A swipe to the left shows the next picture, in a right-to-left page the previous one. */
function stepOf(direction: number): -1 | 1 {
  const leftwards = direction < 0
  return leftwards === (document.documentElement.dir !== 'rtl') ? 1 : -1
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** Scale relative to the size in which the picture fits, and how far its centre is moved in pixels. */
export interface Zoom extends Point {
  readonly scale: number
}

export const FITTED: Zoom = { scale: 1, x: 0, y: 0 }
const MIN_SCALE = 0.25
/** Change of scale by one notch of the wheel or one key press. */
export const SCALE_STEP = 0.25

export interface Stage {
  readonly box: Dimensions
  /** Size of the rotated picture when it fits into the box. */
  readonly fitted: Dimensions
  readonly largestScale: number
}

/** The size of a picture at scale 1: all of it visible, and not enlarged unless `mayGrow`. */
export function fitInto(picture: Dimensions, box: Dimensions, mayGrow: boolean): Dimensions {
  if (picture.width <= 0 || picture.height <= 0) return { width: 0, height: 0 }
  const fit = Math.min(box.width / picture.width, box.height / picture.height)
  const factor = mayGrow ? fit : Math.min(1, fit)
  return { width: picture.width * factor, height: picture.height * factor }
}

/** At the largest scale one pixel of the picture covers at least four of the screen. */
export function largestScaleOf(picture: Dimensions, fitted: Dimensions): number {
  return fitted.width === 0 ? 4 : Math.max(4, (picture.width / fitted.width) * 4)
}

/** Changes the scale and keeps the point under the pointer in place. @param at relative to the centre of the stage */
export function zoomTo(zoom: Zoom, scale: number, at: Point, stage: Stage): Zoom {
  const limited = Math.min(stage.largestScale, Math.max(MIN_SCALE, scale))
  const factor = limited / zoom.scale
  return keepInView({ scale: limited, x: at.x - (at.x - zoom.x) * factor, y: at.y - (at.y - zoom.y) * factor }, stage)
}

/** Moves the picture, but never out of view. */
export function panTo(zoom: Zoom, to: Point, stage: Stage): Zoom {
  return keepInView({ ...zoom, x: to.x, y: to.y }, stage)
}

/** The scale after a double click or double tap: 1, 2, 4 and back to 1. */
export function nextStep(scale: number): number {
  if (scale < 1.99) return scale < 0.99 ? 1 : 2
  return scale < 3.99 ? 4 : 1
}

function keepInView({ scale, x, y }: Zoom, { box, fitted }: Stage): Zoom {
  const room = (content: number, space: number) => Math.max(0, (content * scale - space) / 2)
  const across = room(fitted.width, box.width)
  const down = room(fitted.height, box.height)
  return { scale, x: clamp(x, across), y: clamp(y, down) }
}

function clamp(value: number, limit: number): number {
  // `+ 0` turns -0 into 0, which React would take for a new state.
  return Math.min(limit, Math.max(-limit, value)) + 0
}

/** The size after a rotation by quarter turns. */
export function turned(dimensions: Dimensions, quarterTurns: number): Dimensions {
  return quarterTurns % 2 === 0 ? dimensions : { width: dimensions.height, height: dimensions.width }
}

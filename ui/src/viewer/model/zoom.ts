export interface Point {
  readonly x: number
  readonly y: number
}

export interface Measures {
  readonly width: number
  readonly height: number
}

/** How a picture lies on the stage: its scale against the size in which it fits, and how far its middle is moved. */
export interface Zoom extends Point {
  readonly scale: number
}

export const FITTED: Zoom = { scale: 1, x: 0, y: 0 }
const SMALLEST_SCALE = 0.25
/** Of a notch of the wheel, and of a press of a key. */
export const SCALE_STEP = 0.25

export interface Stage {
  readonly box: Measures
  /** The picture as it fits into the box, turned. */
  readonly fitted: Measures
  readonly largestScale: number
}

/** The size in which a picture is shown at scale 1: whole, and not above its own size unless it may grow. */
export function fitInto(picture: Measures, box: Measures, mayGrow: boolean): Measures {
  if (picture.width <= 0 || picture.height <= 0) return { width: 0, height: 0 }
  const fit = Math.min(box.width / picture.width, box.height / picture.height)
  const factor = mayGrow ? fit : Math.min(1, fit)
  return { width: picture.width * factor, height: picture.height * factor }
}

/** So large that one point of the picture covers at least four of the screen. */
export function largestScaleOf(picture: Measures, fitted: Measures): number {
  return fitted.width === 0 ? 4 : Math.max(4, (picture.width / fitted.width) * 4)
}

/** Another scale that leaves the point under the pointer where it is. @param at from the middle of the stage */
export function zoomTo(zoom: Zoom, scale: number, at: Point, stage: Stage): Zoom {
  const wanted = Math.min(stage.largestScale, Math.max(SMALLEST_SCALE, scale))
  const factor = wanted / zoom.scale
  return kept({ scale: wanted, x: at.x - (at.x - zoom.x) * factor, y: at.y - (at.y - zoom.y) * factor }, stage)
}

/** Moves the picture, but never out of sight. */
export function panTo(zoom: Zoom, to: Point, stage: Stage): Zoom {
  return kept({ ...zoom, x: to.x, y: to.y }, stage)
}

/** What a double click or a double tap does: 1, 2, 4 and back. */
export function nextStep(scale: number): number {
  if (scale < 1.99) return scale < 0.99 ? 1 : 2
  return scale < 3.99 ? 4 : 1
}

function kept({ scale, x, y }: Zoom, { box, fitted }: Stage): Zoom {
  const room = (content: number, space: number) => Math.max(0, (content * scale - space) / 2)
  const across = room(fitted.width, box.width)
  const down = room(fitted.height, box.height)
  return { scale, x: clamp(x, across), y: clamp(y, down) }
}

function clamp(value: number, limit: number): number {
  // Not -0, which would be another state than 0.
  return Math.min(limit, Math.max(-limit, value)) + 0
}

/** A picture turned by a quarter has its measures exchanged. */
export function turned(measures: Measures, quarters: number): Measures {
  return quarters % 2 === 0 ? measures : { width: measures.height, height: measures.width }
}

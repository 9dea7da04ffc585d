import type { Dimensions } from '../image/zoom.ts'

/** The part of a picture to keep, in pixels of the upright, turned picture. May have fractions until it is saved. */
export interface Crop {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** "tl" is the corner at the top left: pictures are not mirrored in right-to-left pages. */
export const CORNERS = ['tl', 'tr', 'bl', 'br'] as const
export type Corner = (typeof CORNERS)[number]

/** Smaller parts cannot be grasped any more. */
const MIN_SIDE = 16

export function wholeOf({ width, height }: Dimensions): Crop {
  return { left: 0, top: 0, width, height }
}

/** Moves the part as far as the picture allows. */
export function movedCrop(crop: Crop, x: number, y: number, picture: Dimensions): Crop {
  return {
    ...crop,
    left: within(crop.left + x, 0, picture.width - crop.width),
    top: within(crop.top + y, 0, picture.height - crop.height),
  }
}

interface Resizing {
  readonly corner: Corner
  readonly x: number
  readonly y: number
  readonly picture: Dimensions
  /** Width by height; undefined if it is free. */
  readonly ratio: number | undefined
}

/** Moves one corner while the opposite one stays. */
export function resizedCrop(crop: Crop, { corner, x, y, picture, ratio }: Resizing): Crop {
  const [isTop, isLeft] = [corner.startsWith('t'), corner.endsWith('l')]
  const maxWidth = isLeft ? crop.left + crop.width : picture.width - crop.left
  const maxHeight = isTop ? crop.top + crop.height : picture.height - crop.top
  const least = (most: number) => Math.min(MIN_SIDE, most)
  let width = within(crop.width + (isLeft ? -x : x), least(maxWidth), maxWidth)
  let height = within(crop.height + (isTop ? -y : y), least(maxHeight), maxHeight)
  if (ratio !== undefined) {
    // Follows the direction in which the corner was moved further.
    width = Math.abs(x) >= Math.abs(y) ? width : height * ratio
    width = Math.min(width, maxWidth, maxHeight * ratio)
    height = width / ratio
  }
  return {
    left: isLeft ? crop.left + crop.width - width : crop.left,
    top: isTop ? crop.top + crop.height - height : crop.top,
    width,
    height,
  }
}

/** The largest part with this ratio around the middle of another one. */
export function cropWithRatio(crop: Crop, ratio: number, picture: Dimensions): Crop {
  const width = Math.min(picture.width, picture.height * ratio, Math.max(crop.width, crop.height * ratio))
  const height = width / ratio
  const centred = {
    left: crop.left + (crop.width - width) / 2,
    top: crop.top + (crop.height - height) / 2,
    width,
    height,
  }
  return movedCrop(centred, 0, 0, picture)
}

/** The same part once the picture is turned by a quarter. @param picture before it is turned */
export function turnedCrop({ left, top, width, height }: Crop, clockwise: boolean, picture: Dimensions): Crop {
  return clockwise
    ? { left: picture.height - top - height, top: left, width: height, height: width }
    : { left: top, top: picture.width - left - width, width: height, height: width }
}

/** In whole pixels, as the server wants it; undefined if all is kept. */
export function roundedCrop(crop: Crop, picture: Dimensions): Crop | undefined {
  const [width, height] = [Math.max(1, Math.round(crop.width)), Math.max(1, Math.round(crop.height))]
  if (width >= picture.width && height >= picture.height) return undefined
  return {
    left: within(Math.round(crop.left), 0, picture.width - width),
    top: within(Math.round(crop.top), 0, picture.height - height),
    width,
    height,
  }
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

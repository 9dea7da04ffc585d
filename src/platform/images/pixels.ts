import { fail } from '../../domain/errors.ts'
import { LONGEST_SIDE, MOST_PIXELS_WHOLE } from './image-messages.ts'

/** A decoded picture: red, green, blue and alpha, 8 bits each. */
export interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly orientation?: number
}

/** Before memory is taken for it. @throws UNSUPPORTED, TOO_LARGE */
export function requireMeasures(width: number, height: number): void {
  if (!(width > 0 && height > 0)) fail('UNSUPPORTED', 'the picture has no size')
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS_WHOLE)
    fail('TOO_LARGE', 'the picture has too many pixels')
}

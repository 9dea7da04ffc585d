import { fail } from '../../domain/errors.ts'

/** How a picture is to become another one. */
export interface PictureTask {
  /** "cover" fills a square and cuts off what is beside it, enlarging what is small; "fit" goes into it whole and never grows. */
  readonly frame: 'cover' | 'fit'
  /** Of the square, in pixels. */
  readonly side: number
  /** "same": that of the source. */
  readonly format: PictureFormat | 'same'
  /** 1 to 8 as EXIF counts; unless given, what the picture says itself. */
  readonly orientation?: number
}

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff' | 'bmp'

export interface Picture {
  readonly bytes: Uint8Array
  readonly format: PictureFormat
}

/** Longest side and most pixels of what is decoded: every further pixel costs memory, whatever the file weighs. */
export const LONGEST_SIDE = 10_000
export const MOST_PIXELS = 100_000_000
/** Decoders in JavaScript hold the whole picture several times. */
const MOST_PIXELS_WHOLE = 40_000_000

/** To the process; so many bytes of the file follow on its standard input. */
export interface ToProcess {
  readonly id: number
  readonly task: PictureTask
  readonly length: number
}

export type FromProcess =
  | { readonly type: 'ready' }
  /** It cannot work here at all. */
  | { readonly type: 'unavailable'; readonly message: string }
  | { readonly type: 'picture'; readonly id: number; readonly picture: Picture }
  | {
      readonly type: 'refused'
      readonly id: number
      readonly code: 'TOO_LARGE' | 'UNSUPPORTED'
      readonly message: string
    }

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

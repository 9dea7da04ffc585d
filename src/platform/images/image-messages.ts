import { fail } from '../../domain/errors.ts'
import type { PictureEdit } from '../../domain/files/media/picture-edit.ts'

export interface PictureTask {
  /**
   * "cover" fills a square, cropping and enlarging as needed; "fit" fits the whole picture into it and never enlarges. "top" and
   * "whole" are as wide and less high, as tiles are: the upper part of a page, and all of it with nothing beside it.
   */
  readonly frame: 'cover' | 'fit' | 'top' | 'whole'
  /** Side of the square in pixels. */
  readonly side: number
  /** "same" keeps the format of the source. */
  readonly format: PictureFormat | 'same'
  /** 1 to 8, as in EXIF; by default that of the picture. */
  readonly orientation?: number
}

export type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff' | 'bmp'

export interface Picture {
  readonly bytes: Uint8Array
  readonly format: PictureFormat
}

/** The most that a JPEG can have. Long screenshots and panoramas have far more than usual pictures. */
export const MAX_SIDE = 65_535
/** Every pixel costs memory, however small the file is. */
export const MAX_PIXELS = 100_000_000
/** Decoders in JavaScript hold several copies of the whole picture. */
const MAX_PIXELS_IN_JAVASCRIPT = 40_000_000

/** Message to the process; `length` bytes of the file follow on its standard input. */
export interface ToProcess {
  readonly id: number
  readonly task: PictureTask | PictureEdit
  readonly length: number
}

export type FromProcess =
  | { readonly type: 'ready' }
  /** The image library cannot be loaded. */
  | { readonly type: 'unavailable'; readonly message: string }
  | { readonly type: 'picture'; readonly id: number; readonly picture: Picture }
  | {
      readonly type: 'refused'
      readonly id: number
      readonly code: 'TOO_LARGE' | 'UNSUPPORTED' | 'INVALID_INPUT'
      readonly message: string
    }

/** A decoded picture: red, green, blue and alpha, 8 bits each. */
export interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly orientation?: number
}

/** Call it before allocating memory for a picture. @throws UNSUPPORTED, TOO_LARGE */
export function requireDecodableSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) fail('UNSUPPORTED', 'the picture has no size')
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS_IN_JAVASCRIPT)
    fail('TOO_LARGE', 'the picture has too many pixels')
}

import { bmpHead, gifHead, heifHead, pngHead, webpHead } from './image-head/small-heads.ts'
import { jpegHead } from './image-head/jpeg-head.ts'
import { tiffHead } from './image-head/tiff-head.ts'
import type { ImageHead } from './image-head/types.ts'

/** So many bytes from the start hold the measures of nearly every picture; behind them only some TIFF files keep theirs. */
export const IMAGE_HEAD_BYTES = 128 * 1024

const READERS = [jpegHead, pngHead, gifHead, webpHead, bmpHead, tiffHead, heifHead]

/**
 * What the first bytes say about a picture, without decoding anything of it. Every number is of the file's making: nothing is
 * believed before it was compared with the bytes that are there.
 *
 * @returns undefined for what is no picture of a known kind, or keeps its measures further behind
 */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  for (const read of READERS) {
    const head = read(bytes)
    if (head !== undefined) return head.width > 0 && head.height > 0 ? head : undefined
  }
  return undefined
}

/** The measures as the picture is shown: an orientation from 5 on turns it on its side. */
export function shownSize({ width, height, orientation = 1 }: ImageHead): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

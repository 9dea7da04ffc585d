/** What the head of a picture tells. */
export interface ImageHead {
  /** Pixels as they are stored: not turned yet. */
  readonly width: number
  readonly height: number
  /** How the stored pixels are turned, as EXIF counts: 1 to 8. */
  readonly orientation?: number
  /** Where a small JPEG of the same picture lies in the bytes, as cameras put one in. */
  readonly embedded?: { readonly start: number; readonly end: number }
}

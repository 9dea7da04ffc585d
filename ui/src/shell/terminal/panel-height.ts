/** Pixels. */
export interface HeightLimits {
  readonly least: number
  readonly most: number
}

/** In the size of letters of the page. */
const LEAST = 6
const FIRST = 25
const LEFT_FREE = 4
const STEP = 2

/** @param em pixels of a letter */
export function heightLimits(windowHeight: number, em: number): HeightLimits {
  const least = LEAST * em
  return { least, most: Math.max(least, windowHeight - LEFT_FREE * em) }
}

export function clampHeight(height: number, { least, most }: HeightLimits): number {
  return Math.round(Math.min(most, Math.max(least, height)))
}

/** The height before anybody has chosen one. */
export function firstHeight(em: number): number {
  return FIRST * em
}

/** The height that a key of the separator leads to; `undefined` for other keys. */
export function heightByKey(
  key: string,
  height: number,
  em: number,
  { least, most }: HeightLimits,
): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return height + STEP * em
    case 'ArrowDown':
      return height - STEP * em
    case 'PageUp':
      return height + STEP * 5 * em
    case 'PageDown':
      return height - STEP * 5 * em
    case 'Home':
      return least
    case 'End':
      return most
    default:
      return undefined
  }
}

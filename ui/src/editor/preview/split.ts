/** Percent of the width that the first of two panes has. */
export const NARROWEST_SPLIT = 20
export const WIDEST_SPLIT = 80

const STEP = 5

/** @param fraction of the width, from its left edge */
export function splitAt(fraction: number, rightToLeft: boolean): number {
  return within(Math.round((rightToLeft ? 1 - fraction : fraction) * 100))
}

/** Where a key moves the border to; undefined for keys that do not. Arrows follow what one sees. */
export function moveSplit(split: number, key: string, rightToLeft: boolean): number | undefined {
  const forward = rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const backward = rightToLeft ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward) return within(split + STEP)
  if (key === backward) return within(split - STEP)
  if (key === 'Home') return NARROWEST_SPLIT
  return key === 'End' ? WIDEST_SPLIT : undefined
}

function within(split: number): number {
  return Math.min(Math.max(split, NARROWEST_SPLIT), WIDEST_SPLIT)
}

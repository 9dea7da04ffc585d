const STEPS = 48

/** Shares of the most frequent step, from dark to light. @param pixels red, green, blue and opacity, each 0 to 255 */
export function histogramOf(pixels: ArrayLike<number>): number[] {
  const counts = new Array<number>(STEPS).fill(0)
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue
    // ITU-R BT.709
    const light = 0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0)
    const step = Math.min(STEPS - 1, Math.floor((light / 256) * STEPS))
    counts[step] = (counts[step] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  return counts.map((count) => count / most)
}

import type { GridLayout, GridLine } from './grid-layout.ts'

/** A rectangle from the upper corner of the first line, in pixels. `before` and `after` are measured in the direction of the text. */
export interface GridBox {
  readonly top: number
  readonly bottom: number
  readonly before: number
  readonly after: number
}

interface GridSizes {
  /** Pixels between tiles. */
  readonly gap: number
  /** Pixels at both sides of a line. */
  readonly side: number
  heightOf(line: GridLine): number
}

/** Where each line begins, and at last where all end, in pixels. */
export function startsOf(layout: GridLayout, { heightOf }: GridSizes): Float64Array {
  const starts = new Float64Array(layout.lines + 1)
  for (let line = 0; line < layout.lines; line += 1)
    starts[line + 1] = (starts[line] ?? 0) + heightOf(layout.lineAt(line))
  return starts
}

/** The positions of the entries that a rectangle touches, also of those that are not rendered. */
export function hitsOf(
  layout: GridLayout,
  sizes: GridSizes,
  starts: Float64Array,
  width: number,
  box: GridBox,
): number[] {
  const { gap, side } = sizes
  const stride = (width - 2 * side + gap) / layout.columns
  const first = Math.max(0, Math.ceil((box.before - side - (stride - gap)) / stride))
  const last = Math.min(layout.columns - 1, Math.floor((box.after - side) / stride))
  const hits: number[] = []
  for (let number = firstLineBelow(starts, box.top); number < layout.lines; number += 1) {
    if ((starts[number] ?? 0) > box.bottom) break
    const line = layout.lineAt(number)
    if (line.kind === 'heading' || (starts[number + 1] ?? 0) - gap < box.top) continue
    for (let index = line.start + first; index <= Math.min(line.start + last, line.end - 1); index += 1)
      hits.push(index)
  }
  return hits
}

/** The first line that ends at or below a height. */
function firstLineBelow(starts: Float64Array, top: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle + 1] ?? 0) < top) low = middle + 1
    else high = middle
  }
  return low
}

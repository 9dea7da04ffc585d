import type { GridLayout, GridLine } from './grid-layout.ts'

/** A folder as it is drawn. */
export interface RenderedFolder {
  readonly names: readonly string[]
  indexOf(name: string): number
  readonly layout: GridLayout
  heightOf(line: GridLine): number
}

/** The names that were not there before. */
export function newNamesIn(now: RenderedFolder, before: RenderedFolder): string[] {
  return now.names.filter((name) => before.indexOf(name) === -1)
}

/**
 * How far to scroll so that the entry at the upper edge stays there when entries come or go above it.
 *
 * @param offset how far the folder was scrolled, in pixels
 */
export function driftOf(now: RenderedFolder, before: RenderedFolder, offset: number): number {
  const first = indexAt(before, offset)
  for (let index = first; index < Math.min(before.names.length, first + 200); index += 1) {
    const stays = now.indexOf(before.names[index] ?? '')
    if (stays !== -1) return topOf(now, stays) - topOf(before, index)
  }
  return 0
}

/** Pixels above the line of an entry. Lines of a list are all equally high. */
function topOf({ layout, heightOf }: RenderedFolder, index: number): number {
  const line = layout.lineOf(index)
  if (isList(layout)) return line * heightOf(layout.lineAt(line))
  let top = 0
  for (let above = 0; above < line; above += 1) top += heightOf(layout.lineAt(above))
  return top
}

/** The first entry of the line at the upper edge. */
function indexAt({ layout, heightOf }: RenderedFolder, offset: number): number {
  if (layout.lines === 0) return 0
  if (isList(layout)) return Math.min(layout.entries - 1, Math.floor(offset / heightOf(layout.lineAt(0))))
  let top = 0
  for (let index = 0; index < layout.lines; index += 1) {
    const line = layout.lineAt(index)
    top += heightOf(line)
    if (top > offset && line.kind === 'entries') return line.start
  }
  return layout.entries - 1
}

function isList(layout: GridLayout): boolean {
  return layout.columns === 1 && layout.lines === layout.entries
}

import { type Virtualizer, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect } from 'react'
import type { GridLayout } from '../model/grid-layout.ts'
import type { GridMetrics } from './grid-metrics.ts'

export type Lines = Virtualizer<HTMLElement, HTMLElement>

interface LinesOptions {
  readonly scroll: RefObject<HTMLElement | null>
  readonly layout: GridLayout
  readonly metrics: GridMetrics
  /** The line with the tab stop stays in the page wherever it is scrolled, or the focus would fall out of it. */
  readonly pinnedLine: number
  readonly initialOffset: number
}

const LINES_BEYOND_THE_EDGE = 6

/** The lines to draw, out of however many there are. Their heights are known, so nothing is measured. */
export function useLines({ scroll, layout, metrics, pinnedLine, initialOffset }: LinesOptions): Lines {
  const lines = useVirtualizer<HTMLElement, HTMLElement>({
    count: layout.lines,
    getScrollElement: () => scroll.current,
    estimateSize: (line) => metrics.heightOf(layout.lineAt(line)),
    scrollMargin: metrics.head + (metrics.above ?? 0),
    scrollPaddingStart: metrics.head,
    overscan: metrics.columns === 1 ? LINES_BEYOND_THE_EDGE : 2,
    initialOffset,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(0, startIndex - overscan)
      const last = Math.min(count - 1, endIndex + overscan)
      const visible = Array.from({ length: last - first + 1 }, (_, step) => first + step)
      if (pinnedLine < 0 || pinnedLine >= count) return visible
      if (pinnedLine < first) return [pinnedLine, ...visible]
      return pinnedLine > last ? [...visible, pinnedLine] : visible
    },
  })
  useLayoutEffect(() => lines.measure(), [lines, layout, metrics])
  return lines
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { FileGrid, type FileGridProps, focusedLine } from './file-grid.tsx'

interface VirtualGridProps extends Omit<FileGridProps, 'lines'> {
  /** The element that scrolls. */
  readonly scroll: RefObject<HTMLElement | null>
  /** What is measured of it already, so that lines are drawn at once. */
  readonly space: { readonly width: number; readonly height: number }
  readonly initialOffset: number
}

const OVERSCAN = 6

/** A grid that renders only the lines in view. Their heights are known, so nothing is measured. */
export function VirtualGrid({ scroll, space, initialOffset, ...props }: VirtualGridProps) {
  const { grid, metrics } = props
  const { layout } = grid.view
  // Always rendered: removing the focused line would lose the focus.
  const pinnedLine = focusedLine(grid)
  const lines = useVirtualizer<HTMLElement, HTMLElement>({
    count: layout.lines,
    getScrollElement: () => scroll.current,
    initialRect: space,
    estimateSize: (line) => metrics.heightOf(layout.lineAt(line)),
    scrollMargin: metrics.head,
    scrollPaddingStart: metrics.head,
    overscan: metrics.columns === 1 ? OVERSCAN : 2,
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
  const isScrolling = useCallback(() => lines.isScrolling, [lines])
  return (
    <FileGrid
      {...props}
      lines={{
        shown: lines.getVirtualItems().map(({ index, start, size }) => ({ index, size, start: start - metrics.head })),
        height: lines.getTotalSize(),
        isScrolling,
        scrollTo: (line, align) => lines.scrollToIndex(line, { align: align ?? 'auto' }),
      }}
    />
  )
}

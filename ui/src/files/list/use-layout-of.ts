import { useMemo } from 'react'
import type { Resource } from '../../../../src/domain/resource.ts'
import { metricsOf, type GridMetrics, type ViewMode } from './grid/grid-metrics.ts'
import { layoutOf, type GridLayout } from './model/grid-layout.ts'
import type { MeasuredSpace } from './use-space.ts'

export interface FolderLayout {
  readonly metrics: GridMetrics
  readonly layout: GridLayout
  /** Lines of entries that fit. */
  readonly page: number
}

/** Where everything goes in the room there is. */
export function useLayoutOf(entries: readonly Resource[], mode: ViewMode, space: MeasuredSpace | null): FolderLayout {
  const { width = 0, height = 0, narrow = false, row = 40 } = space ?? {}
  const metrics = useMemo(() => metricsOf(mode, { width, narrow, row }), [mode, width, narrow, row])
  const { columns } = metrics
  const layout = useMemo(() => layoutOf(entries, mode === 'list' ? 'list' : 'tiles', columns), [entries, mode, columns])
  const line = metrics.heightOf({ kind: 'entries', start: 0, end: 1, folders: false })
  return { metrics, layout, page: Math.max(1, Math.floor(height / Math.max(1, line))) }
}

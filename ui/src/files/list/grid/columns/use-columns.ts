import { useMemo } from 'react'
import { lazyComponent } from '../../../../kit/lazy-component.tsx'
import { ListHead } from '../list-view.tsx'
import { type Column, COLUMNS, tracksOf } from './columns.ts'

/** Until its code is there, the head only sorts. */
const Head = lazyComponent(async () => (await import('./columns-head.tsx')).ColumnsHead, ListHead)

/** What the grid needs for its columns. */
export function useGridColumns(columns: readonly Column[]) {
  return useMemo(
    () => ({ Head, tracks: tracksOf(columns), columns: columns.map(({ id }) => ({ id, ...COLUMNS[id] })) }),
    [columns],
  )
}

import { createContext, useContext } from 'react'
import type { ListColumn } from '../list-columns.ts'

export type ColumnId = 'size' | 'modified' | 'type' | 'mode'

/** A column that the user has chosen. */
export interface Column {
  readonly id: ColumnId
  /** Pixels, where there is room. */
  readonly width: number
}

export const COLUMNS: Readonly<Record<ColumnId, Omit<ListColumn, 'id'>>> = {
  size: { label: 'files.size', sort: 'size' },
  modified: { label: 'files.modified', sort: 'modified' },
  type: {
    label: 'files.type',
    sort: 'type',
    textOf: ({ isDir, extension }, { t }) => (isDir ? t('files.folder') : extension.slice(1).toLocaleUpperCase('en')),
  },
  mode: {
    label: 'files.permissions',
    textOf: ({ mode }) =>
      Array.from('rwxrwxrwx', (letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-')).join(''),
  },
}

/** Tracks of a row: check box, name, columns, menu. Without room, columns get narrower before the name vanishes. */
export function tracksOf(columns: readonly Column[]): string {
  return `40px minmax(var(--name, 120px), 1fr) ${columns.map(({ width }) => `minmax(40px, ${width}px)`).join(' ')} 44px`
}

/** The columns of the list, and a way to change them. */
export interface ColumnsControl {
  readonly columns: readonly Column[]
  readonly onColumns: (columns: readonly Column[]) => void
}

const ColumnsContext = createContext<ColumnsControl | undefined>(undefined)
export { ColumnsContext as ColumnsProvider }

export function useColumnsControl(): ColumnsControl | undefined {
  return useContext(ColumnsContext)
}

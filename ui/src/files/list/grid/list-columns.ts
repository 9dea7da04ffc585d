import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { MessageId } from '../../../i18n/use-text.tsx'
import type { SortColumn } from '../sort/sort-order.ts'
import type { EntryText } from './entry-cell.ts'

/** A column of the list beside the name. */
export interface ListColumn {
  readonly id: string
  readonly label: MessageId
  /** What its head sorts by. */
  readonly sort?: SortColumn
  /** Without it, the size or the date. */
  textOf?(entry: Resource, text: EntryText): string
}

export const DEFAULT_COLUMNS: readonly ListColumn[] = [
  { id: 'size', label: 'files.size', sort: 'size' },
  { id: 'modified', label: 'files.modified', sort: 'modified' },
]

import type { Resource } from '../../../../../src/domain/resource.ts'
import type { SharedAccess } from '../../share/model/shared-places.ts'
import type { EntryText } from './entry-text.ts'

/** What a row, a card and a picture are drawn from. Every value keeps its identity while nothing changes, so cells are memoised. */
export interface EntryCellProps {
  readonly entry: Resource
  readonly index: number
  readonly href: string
  readonly selected: boolean
  /** The one entry that Tab reaches. */
  readonly tabStop: boolean
  readonly text: EntryText
  /** How the user shares it; undefined unless they do. */
  readonly shared: SharedAccess | undefined
}

/** The same for what may have a picture. */
export interface PictureCellProps extends EntryCellProps {
  /** Its address; null when there is none. */
  readonly picture: string | null
  isScrolling(): boolean
}

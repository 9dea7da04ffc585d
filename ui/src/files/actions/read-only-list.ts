import type { ReactNode, RefObject } from 'react'
import type { Resource } from '../../../../src/domain/resource.ts'
import type { Sorting } from '../../../../src/domain/sorting.ts'
import type { UserView } from '../../../../src/domain/user.ts'
import type { MenuAnchor } from '../../kit/menu/menu.tsx'

/** What is selected in a list, and the ways to change it. */
export interface ListSelection {
  readonly entries: readonly Resource[]
  /** Every click selects. */
  readonly selecting: boolean
  clear(): void
  beginSelecting(): void
}

/** A list of entries to look at, to open and to select: the files feature draws it, others are handed it. */
export interface ReadOnlyListProps {
  readonly entries: readonly Resource[]
  readonly mode: UserView['viewMode']
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
  /** What scrolls: the list is one part of it. */
  readonly scroll: RefObject<HTMLElement | null>
  /** The entry to begin with, which has the keyboard. */
  readonly start: string | null
  readonly onOpen: (entry: Resource) => void
  readonly onOpenParent: () => void
  readonly onSelected: (entries: readonly Resource[]) => void
  readonly onMenu: (entries: readonly Resource[], anchor: MenuAnchor) => void
  hrefOf(entry: Resource): string
  /** The address of a picture of it; null draws the glyph. */
  pictureOf(entry: Resource): string | null
  /** What stands above the list, and below. */
  bars(selection: ListSelection): { readonly above: ReactNode; readonly below?: ReactNode }
}

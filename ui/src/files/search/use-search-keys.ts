import type { KeyboardEvent } from 'react'
import { walkList } from '../../lib/walk-list.ts'
import type { HitSelection } from './hit-selection.ts'

interface SearchKeysOptions {
  readonly selection: HitSelection
  readonly count: number
  /** What is typed is not searched for yet. */
  readonly pending: boolean
  readonly select: (selection: HitSelection) => void
  readonly submit: () => void
  readonly open: () => void
  readonly openFolder: () => void
  readonly showMenu: () => void
}

/** Rows that a page key passes. */
const PAGE = 8

/** The keys of the search field that belong to the list beneath it. */
export function useSearchKeys(options: SearchKeysOptions): (event: KeyboardEvent<HTMLInputElement>) => void {
  const { selection, count, pending, select, submit, open, openFolder, showMenu } = options
  return (event) => {
    if (event.nativeEvent.isComposing) return
    const { active } = selection
    const target = walkList(event.key, { index: active, count, page: PAGE })
    if (target !== undefined) select(event.shiftKey ? selection.extendTo(target) : selection.moveTo(target))
    else if (event.key === 'Enter') {
      if (pending) submit()
      else if (count > 0) (event.ctrlKey || event.metaKey ? openFolder : open)()
    } else if (event.key === ' ' && event.ctrlKey) select(selection.toggle(active))
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) showMenu()
    else return
    event.preventDefault()
  }
}

import type { KeyboardEvent } from 'react'
import { nextListIndex } from '../../lib/next-list-index.ts'
import type { HitSelection } from './hits.ts'

interface SearchKeysOptions {
  readonly selection: HitSelection
  readonly count: number
  /** The typed text is not searched for yet. */
  readonly pending: boolean
  readonly select: (selection: HitSelection) => void
  readonly submit: () => void
  readonly open: () => void
  readonly openFolder: () => void
  readonly showMenu: () => void
}

/** Rows that PageUp and PageDown move by. */
const PAGE = 8

/** The keys of the search field that control the list of hits. */
export function searchKeys(options: SearchKeysOptions): (event: KeyboardEvent<HTMLInputElement>) => void {
  const { selection, count, pending, select, submit, open, openFolder, showMenu } = options
  const onEnter = (isWithControl: boolean): void => {
    if (pending) submit()
    else if (count > 0 && isWithControl) openFolder()
    else if (count > 0) open()
  }
  return (event) => {
    if (event.nativeEvent.isComposing) return
    const { key, shiftKey, ctrlKey, metaKey } = event
    const { active } = selection
    const target = nextListIndex(key, { index: active, count, page: PAGE })
    if (target !== undefined) select(shiftKey ? selection.extendTo(target) : selection.moveTo(target))
    else if (key === 'Enter') onEnter(ctrlKey || metaKey)
    else if (key === ' ' && ctrlKey) select(selection.toggle(active))
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) showMenu()
    else return
    event.preventDefault()
  }
}

import { type GridState, INITIAL_GRID } from '../model/grid-state.ts'
import { selectOnly } from '../model/selection.ts'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** How the user left a folder; going back restores it. */
export interface LeftFolder {
  readonly offset: number
  readonly focus: string | null
  readonly selected: readonly string[]
}

const MOST_NAMES = 500
const PREFIX = 'filemgr:visit:'

interface ListingMemory {
  recall(): LeftFolder | null
  keep(offset: number, state: GridState): void
}

/** One visit's memory, in the storage of this tab: it survives a reload and ends with the tab. */
export function createListingMemory(storage: Storage, visit: string): ListingMemory {
  const key = PREFIX + visit
  return {
    recall() {
      const text = storage.getItem(key)
      return text === null ? null : (JSON.parse(text) as LeftFolder)
    },
    keep(offset, { focus, selection }) {
      const few = !selection.inverted && selection.names.size <= MOST_NAMES
      const left: LeftFolder = { offset, focus, selected: few ? [...selection.names] : [] }
      try {
        storage.setItem(key, JSON.stringify(left))
      } catch (error) {
        // With full storage the folder works, but its scroll position is lost.
        if (!(error instanceof DOMException)) throw error
      }
    },
  }
}

/**
 * @param cameFrom the entry that the user has come back from, if there is one here
 * @param touch on touch screens the entry is only focused: a selection would make the next tap select too
 */
export function initialGrid(left: LeftFolder | null, cameFrom: string | null, touch: boolean): GridState {
  const remembered = left?.selected ?? []
  // A single selected entry may be the one that was opened by a click; the viewer has moved on since.
  const follows = cameFrom !== null && remembered.length <= 1
  const selected = follows && !touch ? [cameFrom] : remembered
  const focus = follows ? cameFrom : (left?.focus ?? null)
  return { ...INITIAL_GRID, focus, anchor: focus, selection: selectOnly(selected) }
}

/** How the folder was left in this visit before, and a way to remember how it is left next. */
export function useListingMemory(
  visit: string,
  scroll: RefObject<HTMLElement | null>,
): readonly [LeftFolder | null, (state: GridState) => void] {
  const [memory] = useState(() => createListingMemory(sessionStorage, visit))
  const [left] = useState(() => memory.recall())
  const latest = useRef<GridState>(INITIAL_GRID)
  useLayoutEffect(() => {
    const element = scroll.current
    const keep = (): void => memory.keep(element?.scrollTop ?? 0, latest.current)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [memory, scroll])
  const remember = (state: GridState): void => {
    latest.current = state
  }
  return [left, remember]
}

import { type GridState, INITIAL_GRID } from '../model/grid-state.ts'
import { selectOnly } from '../model/selection.ts'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The state in which the user left a folder. Going back restores it. */
export interface LastVisit {
  readonly offset: number
  readonly focus: string | null
  readonly selected: readonly string[]
}

const MAX_NAMES = 500
const PREFIX = 'filemgr:visit:'

/** Remembers one visit in the session storage, which survives a reload and ends with the tab. */
export function createListingMemory(storage: Storage, visit: string) {
  const key = PREFIX + visit
  return {
    recall(): LastVisit | null {
      const text = storage.getItem(key)
      return text === null ? null : (JSON.parse(text) as LastVisit)
    },
    keep(offset: number, { focus, selection }: GridState) {
      const few = !selection.inverted && selection.names.size <= MAX_NAMES
      const visited: LastVisit = { offset, focus, selected: few ? [...selection.names] : [] }
      try {
        storage.setItem(key, JSON.stringify(visited))
      } catch (error) {
        // A full storage only costs the scroll position.
        if (!(error instanceof DOMException)) throw error
      }
    },
  }
}

/**
 * @param cameFrom the entry that the user comes back from, if it is in this folder
 * @param touch on touch screens the entry is only focused: a selection would make the next tap select too
 */
export function initialGrid(lastVisit: LastVisit | null, cameFrom: string | null, touch: boolean): GridState {
  const remembered = lastVisit?.selected ?? []
  // A single selected entry may be just the one that a click opened, and the viewer may have moved on since.
  const follows = cameFrom !== null && remembered.length <= 1
  const selected = follows && !touch ? [cameFrom] : remembered
  const focus = follows ? cameFrom : (lastVisit?.focus ?? null)
  return { ...INITIAL_GRID, focus, anchor: focus, selection: selectOnly(selected) }
}

/** The state in which this visit was left before, and a function that records the state to restore next time. */
export function useListingMemory(
  visit: string,
  scroll: RefObject<HTMLElement | null>,
): readonly [LastVisit | null, (state: GridState) => void] {
  const [memory] = useState(() => createListingMemory(sessionStorage, visit))
  const [lastVisit] = useState(() => memory.recall())
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
  return [lastVisit, remember]
}

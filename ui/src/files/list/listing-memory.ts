import { INITIAL_GRID, type GridState } from './model/grid-state.ts'
import { selectOnly } from './model/selection.ts'

/** How a folder was left: going back finds it like this. */
export interface LeftFolder {
  readonly offset: number
  readonly focus: string | null
  readonly selected: readonly string[]
}

const MOST_NAMES = 500
const PREFIX = 'filemgr:visit:'

export interface ListingMemory {
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
        // A full storage costs the place in the list, not the visit.
        if (!(error instanceof DOMException)) throw error
      }
    },
  }
}

/**
 * @param cameFrom the entry that the user has come back from, if there is one here
 * @param touch under fingers it is only pointed at: a selection would make the next tap select too
 */
export function initialGrid(left: LeftFolder | null, cameFrom: string | null, touch: boolean): GridState {
  const remembered = left?.selected ?? []
  // One may be no more than what was opened by a click; the viewer has led on from there.
  const follows = cameFrom !== null && remembered.length <= 1
  const selected = follows && !touch ? [cameFrom] : remembered
  const focus = follows ? cameFrom : (left?.focus ?? null)
  return { ...INITIAL_GRID, focus, anchor: focus, selection: selectOnly(selected) }
}

import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { createListingMemory, type LeftFolder } from './listing-memory.ts'
import { INITIAL_GRID, type GridState } from './model/grid-state.ts'

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

import { useCallback, useMemo, useReducer, useState } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { GridLayout } from '../model/grid-layout.ts'
import { step, type GridEvent, type GridState, type GridView } from '../model/grid-state.ts'

export interface Grid {
  readonly state: GridState
  readonly view: GridView
  readonly entries: readonly Resource[]
  entryOf(name: string): Resource | undefined
  send(event: GridEvent): void
}

interface Index {
  readonly names: readonly string[]
  indexOf(name: string): number
}

/** Selection and focus in one folder. After a refetch, entries that still exist keep both. */
export function useGrid(entries: readonly Resource[], layout: GridLayout, page: number, initial: GridState): Grid {
  const index = useMemo(() => createIndex(entries), [entries])
  const view = useMemo<GridView>(() => ({ ...index, layout, page }), [index, layout, page])
  const [state, dispatch] = useReducer(reduce, initial)
  const [known, setKnown] = useState(index)
  if (known !== index) {
    const lost = state.focus === null ? -1 : known.indexOf(state.focus)
    setKnown(index)
    dispatch({ event: { kind: 'reloaded', before: known.names, lost }, view })
  }
  const send = useCallback((event: GridEvent) => dispatch({ event, view }), [view])
  const entryOf = useCallback((name: string) => entries[index.indexOf(name)], [entries, index])
  return { state, view, entries, entryOf, send }
}

function reduce(state: GridState, { event, view }: { event: GridEvent; view: GridView }): GridState {
  return step(state, event, view)
}

/** Builds the map of positions on first use: most visits to a folder never need it. */
function createIndex(entries: readonly Resource[]): Index {
  const names = entries.map((entry) => entry.name)
  let positions: Map<string, number> | undefined
  return {
    names,
    indexOf(name) {
      positions ??= new Map(names.map((each, position) => [each, position]))
      return positions.get(name) ?? -1
    },
  }
}

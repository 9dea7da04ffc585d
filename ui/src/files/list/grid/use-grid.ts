import { useCallback, useMemo, useReducer, useState } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { GridLayout } from '../model/grid-layout.ts'
import { step, type GridEvent, type GridState, type GridView } from '../model/grid-state.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useShortcuts } from '../../../kit/keyboard/shortcuts.tsx'

export interface Grid {
  readonly state: GridState
  readonly view: GridView
  readonly entries: readonly Resource[]
  entryOf(name: string): Resource | undefined
  send(event: GridEvent): void
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
function createIndex(entries: readonly Resource[]) {
  const names = entries.map((entry) => entry.name)
  let positions: Map<string, number> | undefined
  return {
    names,
    indexOf(name: string): number {
      positions ??= new Map(names.map((each, position) => [each, position]))
      return positions.get(name) ?? -1
    },
  }
}

interface FolderShortcutsOptions {
  readonly grid: Grid
  readonly openParent: () => void
  /** Space shows the focused entry; without it, it selects. */
  readonly looks?: boolean
}

/** Keys that work wherever the focus is. Those without `run` are handled by the grid and only listed in the help. */
export function useFolderShortcuts({ grid, openParent, looks = false }: FolderShortcutsOptions): void {
  const t = useText()
  useShortcuts([
    { keys: 'Alt+↑', label: t('files.parentFolder'), group: 'move', run: openParent },
    { keys: 'Backspace', label: t('files.parentFolder'), group: 'move', run: openParent },
    { keys: 'Home', label: t('files.firstEntry'), group: 'move' },
    { keys: 'End', label: t('files.lastEntry'), group: 'move' },
    { keys: looks ? 'Ctrl+Space' : 'Space', label: t('files.selectOne'), group: 'select' },
    { keys: 'Shift+↓', label: t('files.extendSelection'), group: 'select' },
    { keys: 'Ctrl+A', label: t('files.selectAll'), group: 'select', run: () => grid.send({ kind: 'selectAll' }) },
    { keys: 'Esc', label: t('files.clearSelection'), group: 'select', run: () => grid.send({ kind: 'clear' }) },
  ])
}

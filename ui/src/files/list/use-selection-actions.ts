import { useEffect } from 'react'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
import { childOf } from '../../../../src/domain/virtual-path.ts'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useStore } from '../../lib/create-store.ts'
import { useWork } from '../actions/late-work.tsx'
import type { WorkAction, WorkItem } from '../actions/work.ts'
import type { Grid } from './grid/use-grid.ts'
import { pointedAt } from './model/grid-state.ts'
import { countSelected, selectedOf, selectOnly, type Selection } from './model/selection.ts'
import type { EntryOpener } from './use-open-entry.ts'

interface SelectionActionsOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly opener: EntryOpener
  /** The folder has more than what is shown. */
  readonly filtered: boolean
}

/** Tells what can be done with a selection: opening one thing, and all that is done with files everywhere. */
export function useSelectionActions({
  folder,
  grid: { view, entryOf, send },
  opener,
  filtered,
}: SelectionActionsOptions): (selection: Selection) => WorkAction[] {
  const t = useText()
  const { actions } = useWork()
  const mayModify = useUser()?.perm.modify ?? false
  useStore(actions)
  return (selection) => {
    const total = view.names.length
    const count = countSelected(selection, total)
    const entries = () =>
      [...selectedOf(selection, selection.inverted ? view.names : selection.names)].flatMap(
        (name) => entryOf(name) ?? [],
      )
    const items = (): WorkItem[] => entries().map((entry) => ({ ...entry, path: childOf(folder, entry.name) }))
    const [entry] = count === 1 ? entries() : []
    const open: WorkAction = {
      id: 'open',
      label: t('files.open'),
      icon: 'eye',
      keys: 'Enter',
      group: 'move',
      bar: true,
      listedOnly: true,
      run: entry && entry.type !== 'invalid_link' ? () => opener.open(entry) : undefined,
    }
    const edit: WorkAction = {
      id: 'edit',
      label: t('files.edit'),
      icon: 'edit',
      keys: 'F4',
      group: 'act',
      run: entry && mayModify && isEditable(entry) ? () => opener.edit(entry) : undefined,
    }
    const further = actions.get()({ folder, count, items, all: !filtered && count === total })
    return [open, edit, ...further.map((action) => (action.danger === true ? leaving(action, send) : action))]
  }
}

/** A deletion goes on to the neighbour; not under a finger, where the next tap would select instead of opening. */
function leaving(action: WorkAction, send: Grid['send']): WorkAction {
  const { run } = action
  if (run === undefined || matchMedia('(pointer: coarse)').matches) return action
  return {
    ...action,
    run: () => {
      send({ kind: 'leaving' })
      run()
    },
  }
}

/** Pictures of the SVG kind are text as well. */
function isEditable({ type, name }: Resource): boolean {
  return type.startsWith('text') || name.endsWith('.svg')
}

/** Tells the page what can be done here, for its keys: with what is selected, else with the entry that they have led to. */
export function useOfferedActions(
  actions: readonly WorkAction[],
  actionsOf: (selection: Selection) => readonly WorkAction[],
  { state, view, send }: Grid,
): void {
  const { offered, wanted } = useWork()
  const pointed = pointedAt(state, view)
  const meant = pointed !== null || countSelected(state.selection, view.names.length) > 0
  useEffect(() => {
    if (meant) wanted.set(true)
  }, [meant, wanted])
  useEffect(() => {
    const names = pointed === null ? [] : [pointed]
    const instead = pointed === null ? [] : actionsOf(selectOnly(names))
    const byKeys = (action: WorkAction): WorkAction => {
      const run = instead.find(({ id }) => id === action.id)?.run
      if (action.run !== undefined || run === undefined) return action
      const runSeen = (): void => {
        send({ kind: 'select', names })
        run()
      }
      return { ...action, run: runSeen }
    }
    offered.set(actions.map(byKeys))
  })
  useEffect(() => () => offered.set([]), [offered])
}

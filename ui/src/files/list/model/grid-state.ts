import { keepPresent, EVERYTHING, NOTHING, selectOnly, setSelected, toggle, type Selection } from './selection.ts'
import type { GridLayout } from './grid-layout.ts'

/** Focus and selection in one folder. Entries are identified by name, since sorting changes their positions. */
export interface GridState {
  /** The one tab stop of the grid. */
  readonly focus: string | null
  /** Where a range starts. */
  readonly anchor: string | null
  readonly selection: Selection
  /** Every click toggles, for users without a keyboard. */
  readonly multiple: boolean
  /** Entries being deleted: once they are gone, their neighbour is selected. */
  readonly leaving: Selection | null
}

export const INITIAL_GRID: GridState = {
  focus: null,
  anchor: null,
  selection: NOTHING,
  multiple: false,
  leaving: null,
}

/** The shown entries and their layout. */
export interface GridView {
  readonly names: readonly string[]
  indexOf(name: string): number
  readonly layout: GridLayout
  /** Lines of entries that fit on the screen: the stride of PageUp and PageDown. */
  readonly page: number
}

export type Direction = 'up' | 'down' | 'before' | 'after' | 'home' | 'end' | 'pageUp' | 'pageDown'

export type GridEvent =
  | { readonly kind: 'click'; readonly name: string; readonly toggle: boolean; readonly extend: boolean }
  | { readonly kind: 'move'; readonly direction: Direction; readonly extend: boolean }
  | { readonly kind: 'focus'; readonly name: string }
  /** The browser focused an entry. A range selection continues. */
  | { readonly kind: 'focused'; readonly name: string }
  | { readonly kind: 'toggle'; readonly name: string }
  | { readonly kind: 'select'; readonly names: readonly string[] }
  | { readonly kind: 'selectAll' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'leaving' }
  | { readonly kind: 'multiple'; readonly on: boolean }
  /** The folder was fetched again. `lost` is the former index of the focused entry. */
  | { readonly kind: 'reloaded'; readonly before: readonly string[]; readonly lost: number }

/** The next state. Pure, so that a test can cover each rule of selecting in one line. */
export function step(state: GridState, event: GridEvent, view: GridView): GridState {
  switch (event.kind) {
    case 'click':
      return click(state, event.name, event.toggle, event.extend, view)
    case 'move':
      return move(state, event.direction, event.extend, view)
    case 'focus':
      return { ...state, focus: event.name, anchor: event.name }
    case 'focused':
      return { ...state, focus: event.name }
    case 'toggle':
      return { ...state, focus: event.name, anchor: event.name, selection: toggle(state.selection, event.name) }
    case 'select':
      return select(state, event.names)
    case 'selectAll':
      return { ...state, selection: EVERYTHING }
    case 'clear':
      return { ...state, selection: NOTHING, anchor: null, multiple: false }
    case 'leaving':
      return { ...state, leaving: state.selection }
    case 'multiple':
      return { ...state, multiple: event.on, selection: event.on ? state.selection : NOTHING }
    case 'reloaded':
      return reloaded(state, event.before, event.lost, view)
  }
}

function click(state: GridState, name: string, toggles: boolean, extend: boolean, view: GridView): GridState {
  if (extend) {
    const kept = toggles ? state.selection : NOTHING
    return extendTo(state, name, kept, view)
  }
  const selection = toggles || state.multiple ? toggle(state.selection, name) : selectOnly([name])
  return { ...state, focus: name, anchor: name, selection }
}

/** Selects from the anchor to `name`. The anchor stays, so a later range may shrink. */
function extendTo(state: GridState, name: string, kept: Selection, view: GridView): GridState {
  const anchor = state.anchor !== null && view.indexOf(state.anchor) !== -1 ? state.anchor : (state.focus ?? name)
  const from = Math.max(0, view.indexOf(anchor))
  const to = view.indexOf(name)
  const range = view.names.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ...state, focus: name, anchor, selection: setSelected(kept, range, true) }
}

function move(state: GridState, direction: Direction, extend: boolean, view: GridView): GridState {
  if (view.names.length === 0) return state
  const current = state.focus === null ? -1 : view.indexOf(state.focus)
  const target = view.names[current === -1 ? firstTarget(direction, view) : targetOf(current, direction, view)]
  if (target === undefined) return state
  if (extend) return extendTo(state, target, NOTHING, view)
  return { ...state, focus: target, anchor: target }
}

function firstTarget(direction: Direction, view: GridView): number {
  return direction === 'end' || direction === 'up' ? view.names.length - 1 : 0
}

function targetOf(current: number, direction: Direction, view: GridView): number {
  const last = view.names.length - 1
  const targets: Record<Direction, () => number> = {
    up: () => view.layout.vertical(current, -1),
    down: () => view.layout.vertical(current, 1),
    before: () => Math.max(0, current - 1),
    after: () => Math.min(last, current + 1),
    home: () => 0,
    end: () => last,
    pageUp: () => view.layout.vertical(current, -view.page),
    pageDown: () => view.layout.vertical(current, view.page),
  }
  return targets[direction]()
}

function select(state: GridState, names: readonly string[]): GridState {
  const first = names[0] ?? null
  return { ...state, focus: first ?? state.focus, anchor: first, selection: selectOnly(names) }
}

/**
 * After a refetch. If the focused entry is gone, its neighbour gets the focus. It is selected only after the user's own
 * deletion: otherwise a deletion by another user could make the next key act on the wrong file.
 */
function reloaded(state: GridState, before: readonly string[], lost: number, view: GridView): GridState {
  const selection = keepPresent(state.selection, before, view.names)
  const isHere = (name: string): boolean => view.indexOf(name) !== -1
  const stays = (name: string | null): string | null => (name !== null && isHere(name) ? name : null)
  const next = lost === -1 ? null : (view.names[Math.min(lost, view.names.length - 1)] ?? null)
  const isGone = !selection.inverted && selection.names.size === 0
  if (state.leaving !== state.selection || !isGone)
    return { ...state, selection, anchor: stays(state.anchor), focus: stays(state.focus) ?? next }
  const above = before.slice(0, Math.max(0, lost)).findLast(isHere)
  const neighbour = stays(state.focus) ?? above ?? view.names[0] ?? null
  const selected = neighbour === null ? NOTHING : selectOnly([neighbour])
  return { ...state, selection: selected, anchor: neighbour, focus: neighbour, leaving: null }
}

/**
 * The entry that the user moved to by keys while nothing is selected: actions apply to it. An entry that only got the
 * focus when the folder opened does not count, since the user did not choose it.
 */
export function pointedAt(state: GridState, view: GridView): string | null {
  const { focus, anchor, selection, multiple } = state
  const isFree = !multiple && !selection.inverted && selection.names.size === 0
  return isFree && focus !== null && focus === anchor && view.indexOf(focus) !== -1 ? focus : null
}

/** What Enter opens: the focused entry, unless several are selected. */
export function enterTarget(state: GridState, view: GridView): string | null {
  const several = state.selection.inverted ? view.names.length > 1 : state.selection.names.size > 1
  if (several || state.focus === null || view.indexOf(state.focus) === -1) return null
  return state.focus
}

/** True when the entry is the tab stop: the focused one, or the first while nothing is focused. */
export function isTabStop(state: GridState, name: string, index: number, view: GridView): boolean {
  if (state.focus !== null && view.indexOf(state.focus) !== -1) return state.focus === name
  return index === 0
}

import { describe, expect, it } from 'vitest'
import { listLayout, tileLayout } from '../../../../../ui/src/files/list/model/grid-layout.ts'
import {
  enterTarget,
  pointedAt,
  INITIAL_GRID,
  isTabStop,
  step,
  type GridEvent,
  type GridState,
  type GridView,
} from '../../../../../ui/src/files/list/model/grid-state.ts'
import { countSelected, selectedOf } from '../../../../../ui/src/files/list/model/selection.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']

function viewOf(names: readonly string[], layout = listLayout(names.length)): GridView {
  return { names, indexOf: (name) => names.indexOf(name), layout, page: 4 }
}

const LIST = viewOf(NAMES)

function run(events: readonly GridEvent[], view = LIST, from: GridState = INITIAL_GRID): GridState {
  return events.reduce((state, event) => step(state, event, view), from)
}

const selected = (state: GridState, view = LIST): string => [...selectedOf(state.selection, view.names)].join('')
const click = (name: string, keys = ''): GridEvent => ({
  kind: 'click',
  name,
  toggle: keys.includes('ctrl'),
  extend: keys.includes('shift'),
})
const move = (direction: Extract<GridEvent, { kind: 'move' }>['direction'], extend = false): GridEvent => ({
  kind: 'move',
  direction,
  extend,
})

describe('selecting with the mouse', () => {
  it('selects the clicked entry alone', () => {
    expect(selected(run([click('b'), click('d')]))).toBe('d')
  })

  it('adds and removes with Ctrl', () => {
    expect(selected(run([click('b'), click('d', 'ctrl'), click('b', 'ctrl')]))).toBe('d')
  })

  it('shrinks a range', () => {
    expect(selected(run([click('b'), click('h', 'shift'), click('d', 'shift')]))).toBe('bcd')
  })

  it('turns a range around its anchor', () => {
    expect(selected(run([click('d'), click('g', 'shift'), click('b', 'shift')]))).toBe('bcd')
  })

  it('extends a range although the browser focuses the clicked entry first', () => {
    expect(selected(run([click('b'), { kind: 'focused', name: 'd' }, click('d', 'shift')]))).toBe('bcd')
  })

  it('adds a second range with Ctrl and Shift', () => {
    const events = [click('a'), click('b', 'shift'), click('f', 'ctrl'), click('h', 'ctrl shift')]
    expect(selected(run(events))).toBe('abfgh')
  })

  it('starts a range at the clicked entry without an earlier one', () => {
    expect(selected(run([click('c', 'shift')]))).toBe('c')
  })

  it('toggles with every click in multiple mode, and ends it with an empty selection', () => {
    const on = run([{ kind: 'multiple', on: true }, click('a'), click('c'), click('a')])
    expect(selected(on)).toBe('c')
    expect(selected(run([{ kind: 'multiple', on: false }], LIST, on))).toBe('')
  })

  it('removes one entry from the selection of everything', () => {
    expect(selected(run([{ kind: 'selectAll' }, click('e', 'ctrl')]))).toBe('abcdfghi')
  })

  it('clears selection, anchor and multiple mode', () => {
    const state = run([{ kind: 'multiple', on: true }, click('a'), { kind: 'clear' }])
    expect(state).toMatchObject({ anchor: null, multiple: false })
    expect(countSelected(state.selection, 9)).toBe(0)
  })
})

describe('moving with the keyboard', () => {
  it('moves the focus without selecting', () => {
    const state = run([move('down'), move('down')])
    expect(state.focus).toBe('b')
    expect(selected(state)).toBe('')
  })

  it('keeps the selection while the focus moves', () => {
    expect(selected(run([click('a'), move('down'), move('down')]))).toBe('a')
  })

  it('stops at both ends', () => {
    expect(run([move('home'), move('up')]).focus).toBe('a')
    expect(run([move('end'), move('down'), move('after')]).focus).toBe('i')
  })

  it('starts at the end when the first key goes up', () => {
    expect(run([move('up')]).focus).toBe('i')
  })

  it('moves a page at a time', () => {
    expect(run([move('home'), move('pageDown')]).focus).toBe('e')
    expect(run([move('end'), move('pageUp')]).focus).toBe('e')
  })

  it('extends and shrinks with Shift', () => {
    const state = run([click('c'), move('down', true), move('down', true), move('up', true)])
    expect(selected(state)).toBe('cd')
    expect(state.focus).toBe('d')
  })

  it('selects to the end with Shift and End', () => {
    expect(selected(run([click('g'), move('end', true)]))).toBe('ghi')
  })

  it('toggles the focused entry', () => {
    const state = run([move('down'), { kind: 'toggle', name: 'a' }, move('down'), { kind: 'toggle', name: 'b' }])
    expect(selected(state)).toBe('ab')
  })

  it('does nothing in an empty folder', () => {
    expect(run([move('down')], viewOf([]))).toBe(INITIAL_GRID)
  })

  it('opens the focused entry, but not when several are selected', () => {
    expect(enterTarget(run([move('down')]), LIST)).toBe('a')
    expect(enterTarget(run([click('b')]), LIST)).toBe('b')
    expect(enterTarget(run([click('b'), click('c', 'shift')]), LIST)).toBeNull()
    expect(enterTarget(run([click('b'), { kind: 'selectAll' }]), LIST)).toBeNull()
  })

  it('makes the entry reached by keys the target of actions, until something is selected', () => {
    expect(pointedAt(run([{ kind: 'focused', name: 'a' }]), LIST)).toBeNull()
    expect(pointedAt(run([move('down')]), LIST)).toBe('a')
    expect(pointedAt(run([{ kind: 'focus', name: 'c' }]), LIST)).toBe('c')
    expect(pointedAt(run([move('down'), { kind: 'focused', name: 'b' }]), LIST)).toBeNull()
    expect(pointedAt(run([move('down'), { kind: 'clear' }]), LIST)).toBeNull()
    expect(pointedAt(run([click('b'), move('down')]), LIST)).toBeNull()
    expect(pointedAt(run([{ kind: 'selectAll' }, move('down')]), LIST)).toBeNull()
  })
})

describe('moving in a grid of tiles', () => {
  // Folders a b c d e, then files f g h i, in three columns:
  //   a b c      f g h
  //   d e        i
  const view = viewOf(NAMES, tileLayout([true, true, true, true, true, false, false, false, false], 3))
  const from = (name: string, ...moves: Parameters<typeof move>[0][]): string | null =>
    run([{ kind: 'focus', name }, ...moves.map((each) => move(each))], view).focus

  it('keeps the column when moving down', () => {
    expect(from('b', 'down')).toBe('e')
    expect(from('d', 'down')).toBe('f')
  })

  it('takes the last entry of a shorter line', () => {
    expect(from('c', 'down')).toBe('e')
    expect(from('h', 'down')).toBe('i')
  })

  it('skips headings when moving up', () => {
    expect(from('g', 'up')).toBe('e')
    expect(from('f', 'up')).toBe('d')
  })

  it('moves through the lines in reading order', () => {
    expect(from('c', 'after')).toBe('d')
    expect(from('f', 'before')).toBe('e')
  })

  it('stops at the first and last line', () => {
    expect(from('b', 'up')).toBe('b')
    expect(from('i', 'down')).toBe('i')
  })
})

describe('after a refresh', () => {
  const reload = (before: GridState, names: readonly string[], lost: number): GridState =>
    step(before, { kind: 'reloaded', before: NAMES, lost }, viewOf(names))

  it('focus and selection stay on entries that still exist', () => {
    const state = reload(run([click('b'), click('d', 'ctrl')]), ['x', ...NAMES], -1)
    expect(state.focus).toBe('d')
    expect([...selectedOf(state.selection, ['x', ...NAMES])]).toEqual(['b', 'd'])
  })

  it('the focus moves to the neighbour of an entry that is gone', () => {
    const rest = NAMES.filter((name) => name !== 'd')
    expect(reload(run([click('d')]), rest, 3).focus).toBe('e')
  })

  it('the neighbour above is selected only after a deletion by the user', () => {
    const without = (...gone: string[]): string[] => NAMES.filter((name) => !gone.includes(name))
    const leaving = step(run([click('c'), click('d', 'ctrl')]), { kind: 'leaving' }, LIST)
    const after = reload(leaving, without('c', 'd'), 3)
    expect([after.focus, ...after.selection.names]).toEqual(['b', 'b'])
    expect(reload(run([click('d')]), without('d'), 3).selection.names.size).toBe(0)
    const changed = step(leaving, click('e'), LIST)
    expect([...reload(changed, without('c', 'd'), 4).selection.names]).toEqual(['e'])
    expect(reload(changed, without('e'), 4).selection.names.size).toBe(0)
    const first = reload(step(run([click('a')]), { kind: 'leaving' }, LIST), without('a'), 0)
    expect([...first.selection.names]).toEqual(['b'])
  })

  it('there is one tab stop: the focused entry, or the first', () => {
    const focused = run([click('c')])
    const stops = (state: GridState): string[] => NAMES.filter((name, index) => isTabStop(state, name, index, LIST))
    expect(stops(focused)).toEqual(['c'])
    expect(stops(INITIAL_GRID)).toEqual(['a'])
    expect(stops({ ...focused, focus: 'gone' })).toEqual(['a'])
  })
})

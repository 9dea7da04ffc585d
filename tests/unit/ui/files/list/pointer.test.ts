import { describe, expect, it } from 'vitest'
import { meaningOf, type Press, type PressContext } from '../../../../../ui/src/files/list/grid/use-grid-handlers.ts'
import { movedAway } from '../../../../../ui/src/kit/keyboard/use-long-press.ts'
import { findTyped, NO_TYPE_AHEAD, typed } from '../../../../../ui/src/files/list/model/grid-keys.ts'

const press: Press = { name: 'a', touch: false, toggle: false, extend: false, count: 1 }
const context: PressContext = { singleClick: false, multiple: false, anySelected: false, previous: null }

describe('a click', () => {
  it('selects, and opens when it is the second of a double click on the same entry', () => {
    expect(meaningOf(press, context)).toBe('select')
    expect(meaningOf({ ...press, count: 2 }, { ...context, previous: 'a' })).toBe('open')
    expect(meaningOf(press, { ...context, previous: 'a' })).toBe('select')
    expect(meaningOf({ ...press, count: 2 }, { ...context, previous: 'b' })).toBe('select')
  })

  it('opens at once if the user prefers a single click, but not with a modifier', () => {
    const single = { ...context, singleClick: true }
    expect(meaningOf(press, single)).toBe('open')
    expect(meaningOf({ ...press, toggle: true }, single)).toBe('toggle')
    expect(meaningOf({ ...press, extend: true }, single)).toBe('extend')
    expect(meaningOf({ ...press, extend: true, toggle: true }, single)).toBe('extendMore')
  })

  it('toggles in multiple mode', () => {
    expect(meaningOf(press, { ...context, multiple: true, singleClick: true })).toBe('toggle')
  })

  it('on a touch screen opens, or toggles once something is selected', () => {
    expect(meaningOf({ ...press, touch: true }, context)).toBe('open')
    expect(meaningOf({ ...press, touch: true }, { ...context, anySelected: true })).toBe('toggle')
  })

  it('is not a long press after the pointer moved more than 10 px', () => {
    expect(movedAway({ x: 0, y: 0 }, { x: 6, y: 8 })).toBe(false)
    expect(movedAway({ x: 0, y: 0 }, { x: 6, y: 9 })).toBe(true)
  })
})

describe('typing a name', () => {
  const names = ['apple', 'Banana', 'bread', 'Éclair', 'egg']

  it('finds the next name with this prefix, ignoring case', () => {
    expect(findTyped(names, 0, 'b')).toBe(1)
    expect(findTyped(names, 1, 'b')).toBe(2)
    expect(findTyped(names, 1, 'br')).toBe(2)
  })

  it('wraps around to the start', () => {
    expect(findTyped(names, 4, 'a')).toBe(0)
  })

  it('cycles through names with the same first letter', () => {
    expect(findTyped(names, 1, 'bb')).toBe(2)
    expect(findTyped(names, 2, 'bbb')).toBe(1)
  })

  it('stays on a name that still matches', () => {
    expect(findTyped(names, 1, 'ba')).toBe(1)
  })

  it('matches composed and decomposed characters', () => {
    expect(findTyped(names, 0, typed(NO_TYPE_AHEAD, 'é', 0).text)).toBe(3)
  })

  it('finds names by their letters, with whatever accents, in any form and script', () => {
    const foreign = ['Äpfel', 'İstanbul', 'straße', '테스트'.normalize('NFD'), '\u200bžena', 'ΟΔΟΣ']
    for (const [index, keys] of ['ap', 'ist', 'strass', '테스', 'zen', 'οδος'].entries()) {
      const text = [...keys].reduce((before, key) => typed(before, key, 0), NO_TYPE_AHEAD)
      expect(findTyped(foreign, foreign.length - 1, text.text), keys).toBe(index)
    }
  })

  it('returns -1 without a match', () => {
    expect(findTyped(names, 0, 'z')).toBe(-1)
    expect(findTyped([], 0, 'z')).toBe(-1)
  })

  it('joins letters typed quickly and starts again after a pause', () => {
    const first = typed(NO_TYPE_AHEAD, 'B', 0)
    expect(typed(first, 'r', 500).text).toBe('br')
    expect(typed(first, 'r', 900).text).toBe('r')
  })
})

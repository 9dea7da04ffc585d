import { describe, expect, it } from 'vitest'
import { createListingMemory, initialGrid } from '../../../../../ui/src/files/list/listing/listing-memory.ts'
import { INITIAL_GRID } from '../../../../../ui/src/files/list/model/grid-state.ts'
import { EVERYTHING, selectedOf, selectOnly } from '../../../../../ui/src/files/list/model/selection.ts'

/** A minimal browser storage with room for this many characters. */
function storage(room = 10_000): Storage {
  const values = new Map<string, string>()
  return {
    length: 0,
    clear: () => values.clear(),
    key: () => null,
    getItem: (key) => values.get(key) ?? null,
    removeItem: (key) => values.delete(key),
    setItem(key, value) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  }
}

const ALL = ['a', 'b', 'c']
const shown = (state: ReturnType<typeof initialGrid>) => [state.focus, [...selectedOf(state.selection, ALL)].join('')]

describe('the memory of a visit', () => {
  it('restores the state of this visit to the folder, not of others', () => {
    const browserStorage = storage()
    const state = { ...INITIAL_GRID, focus: 'b', selection: selectOnly(['a', 'b']) }
    createListingMemory(browserStorage, 'one').keep(400, state)
    expect(createListingMemory(browserStorage, 'one').recall()).toEqual({
      offset: 400,
      focus: 'b',
      selected: ['a', 'b'],
    })
    expect(createListingMemory(browserStorage, 'two').recall()).toBeNull()
  })

  it('does not store a selection of everything', () => {
    const memory = createListingMemory(storage(), 'one')
    memory.keep(0, { ...INITIAL_GRID, selection: EVERYTHING })
    expect(memory.recall()?.selected).toEqual([])
  })

  it('works with a full storage', () => {
    const memory = createListingMemory(storage(3), 'one')
    memory.keep(400, INITIAL_GRID)
    expect(memory.recall()).toBeNull()
  })
})

describe('a folder that opens', () => {
  it('has no selection on the first visit', () => {
    expect(initialGrid(null, null, false)).toEqual(INITIAL_GRID)
  })

  it('selects the folder that the user comes back from', () => {
    expect(shown(initialGrid(null, 'b', false))).toEqual(['b', 'b'])
    expect(shown(initialGrid({ offset: 9, focus: 'a', selected: [] }, 'b', false))).toEqual(['b', 'b'])
  })

  it('selects the file seen last instead of the one opened', () => {
    expect(shown(initialGrid({ offset: 9, focus: 'a', selected: ['a'] }, 'b', false))).toEqual(['b', 'b'])
  })

  it('prefers the selection of the last visit', () => {
    expect(shown(initialGrid({ offset: 9, focus: 'c', selected: ['a', 'c'] }, 'b', false))).toEqual(['c', 'ac'])
  })

  it('only focuses that folder on touch screens, so that the next tap opens', () => {
    expect(shown(initialGrid(null, 'b', true))).toEqual(['b', ''])
  })
})

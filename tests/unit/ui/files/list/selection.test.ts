import { describe, expect, it } from 'vitest'
import {
  keepPresent,
  countSelected,
  EVERYTHING,
  isSelected,
  NOTHING,
  selectedOf,
  selectOnly,
  toggle,
} from '../../../../../ui/src/files/list/model/selection.ts'

describe('selection', () => {
  it('selects everything without visiting every name', () => {
    expect(EVERYTHING.names.size).toBe(0)
    expect(countSelected(EVERYTHING, 100_000)).toBe(100_000)
    expect(isSelected(EVERYTHING, 'any.txt')).toBe(true)
  })

  it('removes one from everything', () => {
    const rest = toggle(EVERYTHING, 'b')
    expect([...selectedOf(rest, ['a', 'b', 'c'])]).toEqual(['a', 'c'])
    expect(countSelected(rest, 3)).toBe(2)
  })

  it('is unchanged after toggling twice', () => {
    expect(toggle(toggle(EVERYTHING, 'b'), 'b')).toEqual(EVERYTHING)
    expect(toggle(toggle(NOTHING, 'b'), 'b')).toEqual(NOTHING)
  })

  it('drops entries that are gone after a refresh', () => {
    expect(keepPresent(selectOnly(['a', 'b']), ['a', 'b'], ['b', 'c'])).toEqual(selectOnly(['b']))
  })

  it('does not select a file that appeared after everything was selected', () => {
    const kept = keepPresent(EVERYTHING, ['a', 'b'], ['a', 'b', 'new'])
    expect([...selectedOf(kept, ['a', 'b', 'new'])]).toEqual(['a', 'b'])
  })

  it('counts correctly when an excluded file is deleted', () => {
    const kept = keepPresent(toggle(EVERYTHING, 'b'), ['a', 'b', 'c'], ['a', 'c'])
    expect(countSelected(kept, 2)).toBe(2)
  })
})

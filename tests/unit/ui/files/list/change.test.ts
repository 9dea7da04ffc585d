import { describe, expect, it } from 'vitest'
import { layoutOf } from '../../../../../ui/src/files/list/model/grid-layout.ts'
import { driftOf, newNamesIn, type RenderedFolder } from '../../../../../ui/src/files/list/model/view-change.ts'

function drawn(names: readonly string[], kind: 'list' | 'tiles' = 'list', columns = 1): RenderedFolder {
  const entries = names.map((name) => ({ isDir: name.endsWith('/') }))
  return {
    names,
    indexOf: (name) => names.indexOf(name),
    layout: layoutOf(entries, kind, columns),
    heightOf: (line) => (line.kind === 'heading' ? 30 : 100),
  }
}

describe('a folder that changes while it is shown', () => {
  const letters = ['b', 'd', 'f', 'h']

  it('reports new entries', () => {
    expect(newNamesIn(drawn(['a', 'b', 'c', 'd']), drawn(['b', 'd', 'e']))).toEqual(['a', 'c'])
  })

  it('scrolls with changes above the upper edge, not with those below', () => {
    expect(driftOf(drawn(['a', ...letters]), drawn(letters), 250)).toBe(100)
    expect(driftOf(drawn([...letters, 'i']), drawn(letters), 250)).toBe(0)
  })

  it('scrolls back when something above is gone', () => {
    expect(driftOf(drawn(['d', 'f', 'h']), drawn(letters), 250)).toBe(-100)
  })

  it('keeps the next entry in place when the one at the edge is gone', () => {
    expect(driftOf(drawn(['a', 'b', 'd', 'h']), drawn(letters), 250)).toBe(0)
    expect(driftOf(drawn([]), drawn(letters), 250)).toBe(0)
  })

  it('counts lines of tiles and their headings', () => {
    const before = drawn(['x/', 'b', 'd', 'f', 'h'], 'tiles', 2)
    const now = drawn(['x/', 'y/', 'z/', 'b', 'd', 'f', 'h'], 'tiles', 2)
    expect(driftOf(now, before, 200)).toBe(100)
  })
})

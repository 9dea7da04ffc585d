import { describe, expect, it } from 'vitest'
import { trailTo } from '../../../../ui/src/shell/header/breadcrumbs.tsx'

describe('the breadcrumbs', () => {
  it('show all folders if there is room, else the last ones, with the rest in the menu', () => {
    const shownWith = (most: number) => trailTo('/a/b/c/d/e/', most).shown.map(({ path }) => path)
    expect(shownWith(4)).toEqual(['/a/b/c/', '/a/b/c/d/', '/a/b/c/d/e/'])
    expect(shownWith(2)).toEqual(['/a/b/c/d/', '/a/b/c/d/e/'])
    expect(shownWith(1)).toEqual(['/a/b/c/d/e/'])
    expect(trailTo('/a/b/c/d/e/', 1).hidden.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
    expect(trailTo('/a/b/c/d/', 4).shown).toHaveLength(4)
  })

  it('end with the shown file', () => {
    expect(trailTo('/a/b.txt', 4)).toEqual({
      hidden: [],
      shown: [
        { name: 'a', path: '/a/' },
        { name: 'b.txt', path: '/a/b.txt' },
      ],
    })
    expect(trailTo('/', 4)).toEqual({ hidden: [], shown: [] })
  })
})

import { describe, expect, it } from 'vitest'
import { selectRows, nextSort, sortRows } from '../../../../ui/src/kit/table/table-rows.ts'

const ROWS = [
  { name: 'bob', size: 2 },
  { name: 'ann', size: 2 },
  { name: 'cid', size: 1 },
]
const COLUMNS = [
  { id: 'name', compare: (a: (typeof ROWS)[number], b: (typeof ROWS)[number]) => a.name.localeCompare(b.name) },
  { id: 'size', compare: (a: (typeof ROWS)[number], b: (typeof ROWS)[number]) => a.size - b.size },
  { id: 'plain' },
]
const namesBy = (column: string, descending = false) =>
  sortRows(ROWS, COLUMNS, { column, descending }).map(({ name }) => name)

describe('the rows of a table', () => {
  it('are sorted by a column in both directions, with a stable order', () => {
    expect(namesBy('name')).toEqual(['ann', 'bob', 'cid'])
    expect(namesBy('name', true)).toEqual(['cid', 'bob', 'ann'])
    expect(namesBy('size')).toEqual(['cid', 'bob', 'ann'])
    expect(namesBy('size', true)).toEqual(['bob', 'ann', 'cid'])
    expect(namesBy('plain')).toEqual(['bob', 'ann', 'cid'])
  })

  it('reverse on a second click on the same column header', () => {
    const first = nextSort({ column: 'name', descending: false }, 'size')
    expect(first).toEqual({ column: 'size', descending: false })
    expect(nextSort(first, 'size')).toEqual({ column: 'size', descending: true })
    expect(nextSort(nextSort(first, 'size'), 'size')).toEqual(first)
  })

  it('are selected one by one, or in ranges in both directions', () => {
    const keys = ['a', 'b', 'c', 'd']
    const one = selectRows(new Set(), { keys, key: 'c', on: true })
    expect([...one]).toEqual(['c'])
    expect([...selectRows(one, { keys, key: 'a', on: true, from: 'c' })].toSorted()).toEqual(['a', 'b', 'c'])
    expect([...selectRows(new Set(keys), { keys, key: 'd', on: false, from: 'b' })]).toEqual(['a'])
    expect([...selectRows(one, { keys, key: 'd', on: true, from: 'gone' })]).toEqual(['c', 'd'])
  })
})

import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import { ariaSort, nextSorting } from '../../../../../ui/src/files/list/sort/sort-order.ts'
import { sizeOrder } from '../../../../../ui/src/files/list/listing/folder-sizes.ts'
import { sortEntries } from '../../../../../ui/src/files/list/sort/sort-entries.ts'

function entry(name: string, change: Partial<Resource> = {}): Resource {
  return {
    path: `/${name}`,
    name,
    size: 0,
    extension: '',
    modified: '2025-01-01T00:00:00Z',
    mode: 420,
    isDir: false,
    isSymlink: false,
    type: 'text',
    ...change,
  }
}

const folder = (name: string, change: Partial<Resource> = {}): Resource =>
  entry(name, { isDir: true, type: '', ...change })
const namesOf = (entries: readonly Resource[]): string => entries.map(({ name }) => name).join(' ')

describe('sorting by name', () => {
  it('is natural, ignores case and puts folders first', () => {
    const expected = ['ä.txt', 'file1.txt', 'file02.txt', 'file2.txt', 'File3.txt', 'file10.txt']
    const shuffled = [4, 0, 5, 2, 3, 1].map((index) => entry(expected[index] ?? ''))
    const sorted = sortEntries([...shuffled, folder('dir10'), folder('dir2'), folder('Zdir')], {
      by: 'name',
      asc: false,
    })
    expect(namesOf(sorted)).toBe(`dir2 dir10 Zdir ${expected.join(' ')}`)
  })

  it('compares what follows equal numbers of different length', () => {
    const sorted = sortEntries([entry('v09a.txt'), entry('v9.txt'), entry('v009.txt')], { by: 'name', asc: false })
    expect(namesOf(sorted)).toBe('v009.txt v9.txt v09a.txt')
  })

  it('compares numbers of any length', () => {
    const sorted = sortEntries([entry('n18446744073709551617'), entry('n9'), entry('n18446744073709551616')], {
      by: 'name',
      asc: false,
    })
    expect(namesOf(sorted)).toBe('n9 n18446744073709551616 n18446744073709551617')
  })

  it('orders by code points where UTF-16 would not', () => {
    expect(namesOf(sortEntries([entry('😀'), entry('ﬁ')], { by: 'name', asc: false }))).toBe('ﬁ 😀')
  })

  it('reverses the names but keeps folders first', () => {
    const sorted = sortEntries([entry('a'), entry('b'), folder('c'), folder('d')], { by: 'name', asc: true })
    expect(namesOf(sorted)).toBe('d c b a')
  })
})

describe('sorting by type', () => {
  const mixed = [entry('b.txt'), entry('z.JPG'), entry('none'), folder('dir.zip'), entry('a.jpg'), entry('a10.txt')]

  it('is by extension with folders first, then from A to Z', () => {
    expect(namesOf(sortEntries(mixed, { by: 'type', asc: true }))).toBe('dir.zip none a.jpg z.JPG a10.txt b.txt')
    expect(namesOf(sortEntries(mixed, { by: 'type', asc: false }))).toBe('dir.zip a10.txt b.txt a.jpg z.JPG none')
  })

  it('begins with A', () => {
    expect(nextSorting({ by: 'name', asc: false }, 'type')).toEqual({ by: 'type', asc: true })
    expect(ariaSort({ by: 'type', asc: true }, 'type')).toBe('ascending')
  })
})

describe('sorting by size and by date', () => {
  const entries = [entry('big', { size: 900 }), entry('small', { size: 1 }), folder('dir', { size: 4096 })]

  it('puts folders before the smallest and after the largest file', () => {
    expect(namesOf(sortEntries(entries, { by: 'size', asc: true }))).toBe('dir small big')
    expect(namesOf(sortEntries(entries, { by: 'size', asc: false }))).toBe('big small dir')
  })

  it('mixes folders and files by date, to the nanosecond', () => {
    const dated = [
      entry('late', { modified: '2025-01-01T00:00:00.123456789Z' }),
      folder('middle', { modified: '2025-01-01T00:00:00.1234Z' }),
      entry('early', { modified: '2024-12-31T23:00:00Z' }),
    ]
    expect(namesOf(sortEntries(dated, { by: 'modified', asc: true }))).toBe('early middle late')
    expect(namesOf(sortEntries(dated, { by: 'modified', asc: false }))).toBe('late middle early')
  })

  it('breaks ties by the bytes of the names in both directions', () => {
    const equal = [entry('b'), entry('a'), entry('B')]
    expect(namesOf(sortEntries(equal, { by: 'size', asc: true }))).toBe('B a b')
    expect(namesOf(sortEntries(equal, { by: 'size', asc: false }))).toBe('B a b')
  })
})

describe('sorting by size with the sizes of folders', () => {
  const entries = [
    folder('b'),
    folder('a'),
    folder('new'),
    entry('1', { size: 1 }),
    entry('2', { size: 20 }),
    entry('3', { size: 20 }),
  ]
  const sizes = new Map([
    ['a', 20],
    ['b', 5],
  ])

  it('puts folders among files, in both directions, and those of unknown size as the smallest', () => {
    expect(namesOf(sizeOrder(entries, sizes, true))).toBe('new 1 b 2 3 a')
    const descending = entries.toSorted((one, other) => other.size - one.size)
    expect(namesOf(sizeOrder(descending, sizes, false))).toBe('2 3 a b 1 new')
    expect(namesOf(sizeOrder(entries.slice(0, 3), sizes, true))).toBe('new b a')
    expect(namesOf(sizeOrder(entries.slice(3), sizes, true))).toBe('1 2 3')
  })
})

describe('the column headers', () => {
  it('describe the visible order, although names are inverted in the API', () => {
    expect(ariaSort({ by: 'name', asc: false }, 'name')).toBe('ascending')
    expect(ariaSort({ by: 'name', asc: true }, 'name')).toBe('descending')
    expect(ariaSort({ by: 'size', asc: true }, 'size')).toBe('ascending')
    expect(ariaSort({ by: 'modified', asc: false }, 'modified')).toBe('descending')
    expect(ariaSort({ by: 'name', asc: false }, 'size')).toBe('none')
    expect(ariaSort({ by: '', asc: false }, 'name')).toBe('ascending')
  })

  it('start with A, the smallest and the newest, and reverse on the next click', () => {
    expect(nextSorting({ by: 'size', asc: true }, 'name')).toEqual({ by: 'name', asc: false })
    expect(nextSorting({ by: 'name', asc: false }, 'size')).toEqual({ by: 'size', asc: true })
    expect(nextSorting({ by: 'name', asc: false }, 'modified')).toEqual({ by: 'modified', asc: false })
    expect(nextSorting({ by: 'name', asc: false }, 'name')).toEqual({ by: 'name', asc: true })
  })
})

import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { groupEntries } from '../../../../../ui/src/files/list/sort/groups.ts'
import type { Grouping } from '../../../../../ui/src/files/list/sort/sort-order.ts'
import { groupLayout } from '../../../../../ui/src/files/list/model/grid-layout.ts'

const NOW = new Date(2026, 10, 26, 12)
const BY_NAME: Sorting = { by: 'name', asc: false }

function entry(name: string, modified = NOW, isDir = false): Resource {
  const type = isDir ? '' : /\.(png|jpg)$/.test(name) ? 'image' : 'blob'
  return {
    path: `/${name}`,
    name,
    size: 0,
    extension: '',
    mode: 420,
    isSymlink: false,
    modified: modified.toISOString(),
    isDir,
    type,
  }
}

/** "title: names", one for each group. */
function grouped(entries: Resource[], grouping: Exclude<Grouping, 'none'>, sorting = BY_NAME, locale = 'de'): string[] {
  const { entries: all, groups } = groupEntries(entries, grouping, sorting, NOW, locale)
  return groups.map(
    ({ key, start, end }) =>
      `${key}: ${all
        .slice(start, end)
        .map(({ name }) => name)
        .join(' ')}`,
  )
}

describe('groups by date', () => {
  const dated = [
    entry('a', new Date(2026, 10, 26, 0)),
    entry('b', new Date(2024, 5, 1)),
    entry('c', new Date(2026, 10, 25, 23)),
    entry('d', new Date(2026, 10, 23)),
    entry('e', new Date(2026, 10, 22)),
    entry('f', new Date(2026, 0, 1)),
    entry('g', new Date(2025, 11, 31)),
    entry('h', new Date(2026, 10, 26, 11)),
    entry('i', new Date(2030, 1, 1)),
  ]

  it('are days, this week, this month, this year and earlier years, newest first', () => {
    expect(grouped(dated, 'modified')).toEqual([
      ...['2030: i', 'day 0: a h', 'day -1: c', 'week 0: d', 'month 0: e', 'year 0: f', '2025: g', '2024: b'],
    ])
  })

  it('begin the week where the language does', () => {
    expect(grouped(dated, 'modified', BY_NAME, 'en-US')).toContain('week 0: d e')
  })

  it('are oldest first if the dates are', () => {
    expect(grouped(dated, 'modified', { by: 'modified', asc: true }).map((group) => group.split(':')[0])).toEqual([
      ...['2024', '2025', 'year 0', 'month 0', 'week 0', 'day -1', 'day 0', '2030'],
    ])
  })

  it('take entries without a valid date', () => {
    expect(grouped([{ ...entry('x'), modified: 'never' }], 'modified')).toEqual(['1970: x'])
  })
})

describe('groups by type', () => {
  const mixed = [entry('z.png'), entry('dir', NOW, true), entry('a.zip'), entry('b.png'), entry('odd')]

  it('begin with folders and keep the order within', () => {
    expect(grouped(mixed, 'type')).toEqual(['folder: dir', 'image: z.png b.png', 'archive: a.zip', 'other: odd'])
  })

  it('have headings in lists and tiles, and keys skip them', () => {
    const { groups } = groupEntries(mixed, 'type', BY_NAME, NOW, 'de')
    const list = groupLayout(groups, 1)
    expect([list.lines, list.entries, list.lineOf(0), list.lineOf(1), list.lineOf(4)]).toEqual([9, 5, 1, 3, 8])
    expect(list.lineAt(2)).toEqual({ kind: 'heading', group: 'image' })
    expect([list.vertical(0, 1), list.vertical(1, -1), list.vertical(4, 1)]).toEqual([1, 0, 4])
    const tiles = groupLayout(groups, 2)
    expect(tiles.lineAt(3)).toEqual({ kind: 'entries', start: 1, end: 3, folders: false })
  })
})

it('a folder of ten thousand entries is grouped within a frame or two', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    entry(`${index}.png`, new Date(2026, 10, 26 - (index % 9000))),
  )
  const start = performance.now()
  const { groups } = groupEntries(many, 'modified', BY_NAME, NOW, 'de')
  const layout = groupLayout(groups, 1)
  for (let line = 0; line < layout.lines; line += 1) layout.lineAt(line)
  // A limit for hangs: it takes some milliseconds.
  expect(performance.now() - start).toBeLessThan(2000)
  expect(layout.entries).toBe(10_000)
})

import { describe, expect, it } from 'vitest'
import {
  countOf,
  rowsOf,
  UPLOAD_FILTERS,
  type UploadFilter,
} from '../../../../../ui/src/files/uploads/panel/upload-filter.ts'
import {
  adjustTotals,
  NO_TOTALS,
  type UploadItem,
  type UploadState,
} from '../../../../../ui/src/files/uploads/queue/upload-item.ts'

let lastId = 0
const item = (name: string, state: UploadState, batch?: string): UploadItem => {
  const group = batch === undefined ? null : { id: `/\n${batch}`, name: batch }
  lastId += 1
  return { id: lastId, name, state, group, size: 10, sent: state === 'done' ? 10 : 0 } as UploadItem
}
const ITEMS = [
  item('a', 'done'),
  item('b', 'waiting'),
  item('c', 'failed'),
  item('d', 'active'),
  item('e', 'waiting'),
  item('f', 'paused'),
  item('g', 'missing'),
]

const shown = (filter: UploadFilter, items = ITEMS, open: readonly string[] = []): string[] =>
  rowsOf(filter, items, new Set(open)).map((row) =>
    row.kind === 'batch'
      ? `${row.batch.name} ${row.batch.totals.done}/${row.batch.items.length}`
      : row.nested
        ? `- ${row.item.name}`
        : row.item.name,
  )

describe('the tabs of the upload panel', () => {
  it('show active uploads first, then failed, missing, waiting and finished ones', () => {
    expect(shown('all')).toEqual(['d', 'c', 'g', 'f', 'b', 'e', 'a'])
  })

  it('list paused uploads and those without a file as waiting', () => {
    expect(shown('active')).toEqual(['d'])
    expect(shown('waiting')).toEqual(['g', 'f', 'b', 'e'])
    expect(shown('failed')).toEqual(['c'])
    expect(shown('done')).toEqual(['a'])
  })

  it('count what they show', () => {
    const totals = ITEMS.reduce((sum, each) => adjustTotals(sum, each, 1), NO_TOTALS)
    expect(UPLOAD_FILTERS.map((filter) => countOf(filter, totals))).toEqual([7, 1, 4, 1, 1])
  })
})

describe('an uploaded folder', () => {
  const album = [item('1', 'done', 'album'), item('2', 'failed', 'album'), item('3', 'waiting', 'album')]
  const items = [item('x', 'waiting'), ...album, item('y', 'active')]

  it('is one line with its progress, at the position of its most urgent file', () => {
    expect(shown('all', items)).toEqual(['y', 'album 1/3', 'x'])
  })

  it('shows its files below the line when expanded', () => {
    expect(shown('all', items, ['/\nalbum'])).toEqual(['y', 'album 1/3', '- 2', '- 3', '- 1', 'x'])
  })

  it('counts all its files, whatever the tab shows', () => {
    expect(shown('failed', items, ['/\nalbum'])).toEqual(['album 1/3', '- 2'])
    expect(shown('active', items)).toEqual(['y'])
  })

  it('has no line of its own with a single file', () => {
    expect(shown('all', [item('only', 'active', 'folder')])).toEqual(['only'])
  })
})

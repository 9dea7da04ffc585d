import { describe, expect, it } from 'vitest'
import { createHitSelection, filterHits } from '../../../../ui/src/files/search/hits.ts'
import { createHighlight } from '../../../../ui/src/files/search/hit-row.tsx'
import { createRecentVisits } from '../../../../ui/src/files/list/listing/recent-visits.ts'
import { createRecentQueries } from '../../../../ui/src/files/search/searches.ts'
import {
  isWorthAsking,
  NO_REQUEST,
  queryOf,
  requestOf,
  type SearchRequest,
  valuesOf,
} from '../../../../ui/src/files/search/search-request.ts'
import type { FoundEntry } from '../../../../ui/src/files/search/search-run.ts'
import { nextListIndex } from '../../../../ui/src/lib/next-list-index.ts'

const request = (text: string, others: Partial<SearchRequest> = {}): SearchRequest => ({
  ...NO_REQUEST,
  text,
  ...others,
})

describe('a search in the address', () => {
  it('is read back as it was written', () => {
    const asked = request('blue sky', { types: ['image', 'pdf'], everywhere: true })
    expect(valuesOf(asked)).toEqual({ q: 'blue sky', type: 'image,pdf', in: 'all' })
    expect(requestOf(valuesOf(asked))).toEqual(asked)
    expect(valuesOf(request('a'))).toEqual({ q: 'a' })
  })

  it('is none without a text, and ignores unknown values', () => {
    expect(requestOf({})).toBeUndefined()
    expect(requestOf({ q: '' })).toEqual(NO_REQUEST)
    expect(requestOf({ q: '2024' })).toEqual(request('2024'))
    expect(requestOf({ q: '', type: 'exe,video', in: 'else' })).toEqual(request('', { types: ['video'] }))
  })

  it('is translated into the query syntax of the server', () => {
    expect(queryOf(request(' cat ', { types: ['image', 'video'] }))).toBe('type:image type:video cat')
    expect(queryOf(request('  '))).toBe('')
  })

  it('does not start with a single character', () => {
    expect(isWorthAsking(request('a '))).toBe(false)
    expect(isWorthAsking(request('ab'))).toBe(true)
    expect(isWorthAsking(request('', { types: ['pdf'] }))).toBe(true)
  })
})

describe('the highlight of a name', () => {
  const marked = (query: string, name: string) =>
    createHighlight(query)(name)
      .map(({ text, hit }) => (hit ? `[${text}]` : text))
      .join('')

  it('marks every occurrence of each word, ignoring case', () => {
    expect(marked('light house', 'Lighthouse of LIGHT.txt')).toBe('[Light][house] of [LIGHT].txt')
    expect(marked('type:image cat', 'concat.png')).toBe('con[cat].png')
    expect(marked('case:sensitive Cat', 'cat Cat')).toBe('cat [Cat]')
    expect(marked('"a b"', 'xa bx')).toBe('x[a b]x')
    expect(marked('type:pdf', 'a.pdf')).toBe('a.pdf')
  })

  it('marks what the search has found, with its accents and in its Unicode form', () => {
    expect(marked('temperature', 'Température')).toBe('[Température]')
    expect(marked('é', 'cafe\u0301 e')).toBe('caf[e\u0301] [e]')
    expect(marked('strasse', 'Hauptstraße.txt')).toBe('Haupt[straße].txt')
    expect(marked('case:sensitive é', 'cafe\u0301 e É')).toBe('caf[e\u0301] e É')
    expect(marked('ab abc', 'xabcx')).toBe('x[abc]x')
  })

  it('treats regular expression characters literally', () => {
    expect(marked('(1)', 'copy(1).txt')).toBe('copy[(1)].txt')
    expect(marked('a.b*', 'aXb a.b*')).toBe('aXb [a.b*]')
  })
})

describe('the selection of results', () => {
  it('is the active one until more are selected', () => {
    expect(createHitSelection(2).targets()).toEqual([2])
    expect(createHitSelection(-1).targets()).toEqual([])
  })

  it('grows and shrinks from its start', () => {
    const three = createHitSelection(2).extendTo(4)
    expect(three.targets()).toEqual([2, 3, 4])
    expect(three.extendTo(3).targets()).toEqual([2, 3])
    expect(three.extendTo(1).targets()).toEqual([1, 2])
    expect(three.moveTo(7).targets()).toEqual([7])
  })

  it('is toggled one by one', () => {
    const two = createHitSelection(0).toggle(5).toggle(1)
    expect(two.targets()).toEqual([1, 5])
    expect(two.toggle(5).targets()).toEqual([1])
  })
})

describe('filters by time and size', () => {
  const now = Date.parse('2026-06-30T12:00:00Z')
  const hit = (path: string, size: number, modified: string, isDir = false): FoundEntry => ({
    path,
    isDir,
    details: { size, modified, type: 'blob' },
  })
  const all = [
    hit('/new', 10, '2026-06-30T11:00:00+00:00'),
    hit('/old', 5 * 1024 * 1024, '2020-01-01T00:00:00Z'),
    hit('/huge', 2 ** 40, '2026-06-10T00:00:00Z'),
    hit('/folder', 4096, '2026-06-29T13:00:00Z', true),
    { path: '/gone', isDir: false },
  ]
  const matching = (filter: Pick<SearchRequest, 'time' | 'size'>) =>
    filterHits(all, filter, now).map(({ path }) => path)

  it('match everything by default', () => {
    expect(filterHits(all, {}, now)).toBe(all)
  })

  it('match recent changes and sizes', () => {
    expect(matching({ time: 'day' })).toEqual(['/new', '/folder'])
    expect(matching({ time: 'month' })).toEqual(['/new', '/huge', '/folder'])
    expect(matching({ size: 'small' })).toEqual(['/new'])
    expect(matching({ size: 'medium' })).toEqual(['/old'])
    expect(matching({ size: 'large', time: 'year' })).toEqual(['/huge'])
  })

  it('are part of the address', () => {
    const asked = request('x', { time: 'week', size: 'large' })
    expect(requestOf(valuesOf(asked))).toEqual(asked)
    expect(requestOf({ q: 'x', time: 'ever', size: '7' })).toEqual(request('x'))
  })
})

describe('recent searches', () => {
  it('are stored once, without intermediate input, newest first', () => {
    const recents = createRecentQueries(memory(), 'maya')
    for (const text of ['hol', 'holiday', 'cat', 'holiday']) recents.add(request(text))
    expect(recents.all().map(({ text }) => text)).toEqual(['holiday', 'cat'])
  })

  it('belong to one account, are limited to eight, and can be cleared', () => {
    const storage = memory()
    const recents = createRecentQueries(storage, 'maya')
    for (let index = 0; index < 12; index++) recents.add(request(`${index} x`))
    expect(recents.all()).toHaveLength(8)
    expect(createRecentQueries(storage, 'noor').all()).toEqual([])
    recents.clear()
    expect(recents.all()).toEqual([])
  })

  it('start empty if the stored data is damaged', () => {
    const storage = memory()
    storage.setItem('filemgr:searches:maya', '{')
    expect(createRecentQueries(storage, 'maya').all()).toEqual([])
  })
})

describe('recent visits', () => {
  it('are kept per account, newest first, each once and not too many', () => {
    const storage = memory()
    const visits = createRecentVisits(storage, 'maya')
    for (let index = 0; index < 30; index++) visits.add(`/${index}.txt`)
    visits.add('/25.txt')
    expect(visits.all().slice(0, 3)).toEqual(['/25.txt', '/29.txt', '/28.txt'])
    expect(visits.all()).toHaveLength(20)
    expect(createRecentVisits(storage, 'noor').all()).toEqual([])
    visits.forget(['/25.txt', '/28.txt'])
    expect(visits.all().slice(0, 2)).toEqual(['/29.txt', '/27.txt'])
  })

  it('are none if something else is stored', () => {
    const storage = memory()
    for (const text of ['{"a":1}', '{', '[1, null]']) {
      storage.setItem('filemgr:visits:maya', text)
      expect(createRecentVisits(storage, 'maya').all()).toEqual([])
    }
  })
})

describe('the arrow keys of a list below a field', () => {
  it('wrap around in the list, and leave the keys of the field alone', () => {
    const position = { index: 0, count: 20, page: 8 }
    expect(nextListIndex('ArrowDown', position)).toBe(1)
    expect(nextListIndex('ArrowUp', position)).toBe(19)
    expect(nextListIndex('ArrowDown', { ...position, index: 19 })).toBe(0)
    expect(nextListIndex('PageDown', { ...position, index: 15 })).toBe(19)
    expect(nextListIndex('PageUp', { ...position, index: 3 })).toBe(0)
    expect(nextListIndex('ArrowDown', { ...position, index: -1 })).toBe(0)
    expect(nextListIndex('Home', position)).toBeUndefined()
    expect(nextListIndex('ArrowDown', { ...position, count: 0 })).toBeUndefined()
  })
})

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Partial<Storage> as Storage
}

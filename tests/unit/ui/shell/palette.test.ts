import { describe, expect, it } from 'vitest'
import {
  fuzzyMatch,
  findItems,
  type PaletteItem,
  readPaletteQuery,
} from '../../../../ui/src/shell/palette/palette-item.ts'
import { matchOf } from '../../../../ui/src/shell/palette/use-found-files.ts'
import { platformKeys } from '../../../../ui/src/lib/shortcut-keys.ts'

const marked = (query: string, text: string) => {
  const match = fuzzyMatch(query, text)
  return match?.ranges.map(([start, end]) => text.slice(start, end))
}
const order = (query: string, ...texts: string[]) =>
  texts.toSorted((a, b) => (fuzzyMatch(query, b)?.score ?? -99) - (fuzzyMatch(query, a)?.score ?? -99))

describe('a match of the palette', () => {
  it('marks the typed letters', () => {
    expect(marked('co', 'Brand colours')).toEqual(['co'])
    expect(marked('nf', 'New folder')).toEqual(['N', 'f'])
    expect(marked('fold new', 'New folder')).toEqual(['New', 'fold'])
    expect(marked('', 'New folder')).toEqual([])
  })

  it('needs every word', () => {
    expect(fuzzyMatch('xy', 'New folder')).toBeUndefined()
    expect(fuzzyMatch('new zzz', 'New folder')).toBeUndefined()
    expect(fuzzyMatch('wf', 'New folder')).toBeUndefined()
  })

  it('ranks higher the closer it is to the typed text', () => {
    expect(order('copy', 'Scopy', 'A copy', 'Copy here', 'Copy')).toEqual(['Copy', 'Copy here', 'A copy', 'Scopy'])
    expect(order('sd', 'Switch to dark', 'Search and download', 'sd')[0]).toBe('sd')
  })

  it('marks the right letters if upper case has another length', () => {
    expect(marked('stanbul', 'İstanbul')).toEqual(['stanbul'])
    expect(marked('istanbul', 'İstanbul')).toEqual(['İstanbul'])
    expect(marked('strasse 2', 'Große Straße 2')).toEqual(['Straße', '2'])
  })

  it('is found with whatever accents, and marks whole letters', () => {
    expect(marked('reglage', 'Réglages')).toEqual(['Réglage'])
    expect(marked('uber', 'Ubersicht'.replace('U', 'U\u0308'))).toEqual(['U\u0308ber'])
    expect(marked('테스', '테스트'.normalize('NFD'))).toEqual(['테스'.normalize('NFD')])
  })
})

describe('what the server found', () => {
  const found = (text: string, name: string) => matchOf(name, text).ranges.map(([start, end]) => name.slice(start, end))

  it('is marked where it contains the words of the search, each letter once', () => {
    expect(found('2026 report', 'Report 2026.pdf')).toEqual(['Report', '2026'])
    expect(found('rep report', 'a report.pdf')).toEqual(['report'])
    expect(found('"annual report" type:pdf', 'Annual report.pdf')).toEqual(['Annual report'])
    expect(found('type:pdf', 'a.pdf')).toEqual([])
  })
})

describe('the items of the palette', () => {
  const item = (kind: PaletteItem['kind'], section: string, label: string): PaletteItem => ({
    id: label,
    icon: 'command',
    run: () => undefined,
    kind,
    section,
    label,
  })
  const items = [
    item('action', 'Actions', 'Copy'),
    item('action', 'Actions', 'Delete'),
    item('folder', 'Folders', 'Contracts'),
    item('folder', 'Folders', 'Music'),
    item('setting', 'Settings', 'Dark colours'),
  ]
  const labels = (typed: string) => findItems(items, typed).map(({ items: found }) => found.map((f) => f.item.label))

  it('are all of them in order until something is typed', () => {
    expect(labels('')).toEqual([['Copy', 'Delete'], ['Contracts', 'Music'], ['Dark colours']])
  })

  it('are grouped, the group with the best match first', () => {
    expect(labels('co')).toEqual([['Copy'], ['Contracts'], ['Dark colours']])
    expect(labels('colours')).toEqual([['Dark colours']])
    expect(labels('music')).toEqual([['Music']])
  })

  it('are limited to actions or folders by a prefix', () => {
    expect(labels('> co')).toEqual([['Copy']])
    expect(labels('/')).toEqual([['Contracts', 'Music']])
    expect(readPaletteQuery(' /mus ')).toEqual({ text: 'mus', kind: 'folder' })
  })

  it('are limited to the best matches', () => {
    const many = Array.from({ length: 30 }, (_, index) => item('folder', 'Folders', `Folder ${index}`))
    expect(findItems(many, 'folder')[0]?.items).toHaveLength(8)
    expect(findItems(many, '/folder')[0]?.items).toHaveLength(30)
  })
})

describe('the keys of a shortcut', () => {
  it('are written for the platform', () => {
    expect(platformKeys('Ctrl+Shift+F', 'MacIntel')).toBe('⌘+⇧+F')
    expect(platformKeys('Alt+↑', 'iPad')).toBe('⌥+↑')
    expect(platformKeys('Ctrl+Shift+F', 'Linux x86_64')).toBe('Ctrl+Shift+F')
  })
})

import { describe, expect, it } from 'vitest'
import {
  fuzzyMatch,
  findItems,
  type PaletteItem,
  readPaletteQuery,
} from '../../../../ui/src/shell/palette/palette-item.ts'
import { platformKeys } from '../../../../ui/src/lib/shortcut-keys.ts'

const marked = (query: string, text: string) => {
  const match = fuzzyMatch(query, text)
  return match?.ranges.map(([start, end]) => text.slice(start, end))
}
const order = (query: string, ...texts: string[]) =>
  texts.toSorted((a, b) => (fuzzyMatch(query, b)?.score ?? -99) - (fuzzyMatch(query, a)?.score ?? -99))

describe('a match of the palette', () => {
  it('marks the letters that were typed', () => {
    expect(marked('co', 'Brand colours')).toEqual(['co'])
    expect(marked('nf', 'New folder')).toEqual(['N', 'f'])
    expect(marked('fold new', 'New folder')).toEqual(['New', 'fold'])
    expect(marked('', 'New folder')).toEqual([])
  })

  it('is none when a word is missing', () => {
    expect(fuzzyMatch('xy', 'New folder')).toBeUndefined()
    expect(fuzzyMatch('new zzz', 'New folder')).toBeUndefined()
    expect(fuzzyMatch('wf', 'New folder')).toBeUndefined()
  })

  it('is better the nearer it is to what was typed', () => {
    expect(order('copy', 'Scopy', 'A copy', 'Copy here', 'Copy')).toEqual(['Copy', 'Copy here', 'A copy', 'Scopy'])
    expect(order('sd', 'Switch to dark', 'Search and download', 'sd')[0]).toBe('sd')
  })

  it('marks nothing wrong where capitals have another length', () => {
    expect(marked('stanbul', 'İstanbul')).toEqual(['stanbul'])
  })
})

describe('what the palette finds', () => {
  const item = (kind: PaletteItem['kind'], section: string, label: string): PaletteItem => ({
    ...{ id: label, icon: 'command', run: () => undefined },
    ...{ kind, section, label },
  })
  const items = [
    item('action', 'Actions', 'Copy'),
    item('action', 'Actions', 'Delete'),
    item('folder', 'Folders', 'Contracts'),
    item('folder', 'Folders', 'Music'),
    item('setting', 'Settings', 'Dark colours'),
  ]
  const labels = (typed: string) => findItems(items, typed).map(({ items: found }) => found.map((f) => f.item.label))

  it('is everything, in its order, until something is typed', () => {
    expect(labels('')).toEqual([['Copy', 'Delete'], ['Contracts', 'Music'], ['Dark colours']])
  })

  it('is grouped, the group with the best match first', () => {
    expect(labels('co')).toEqual([['Copy'], ['Contracts'], ['Dark colours']])
    expect(labels('colours')).toEqual([['Dark colours']])
    expect(labels('music')).toEqual([['Music']])
  })

  it('is narrowed by a sign to actions or folders', () => {
    expect(labels('> co')).toEqual([['Copy']])
    expect(labels('/')).toEqual([['Contracts', 'Music']])
    expect(readPaletteQuery(' /mus ')).toEqual({ text: 'mus', kind: 'folder' })
  })

  it('shows the best of many', () => {
    const many = Array.from({ length: 30 }, (_, index) => item('folder', 'Folders', `Folder ${index}`))
    expect(findItems(many, 'folder')[0]?.items).toHaveLength(8)
    expect(findItems(many, '/folder')[0]?.items).toHaveLength(30)
  })
})

describe('the keys of a shortcut', () => {
  it('are those of the machine', () => {
    expect(platformKeys('Ctrl+Shift+F', 'MacIntel')).toBe('⌘+⇧+F')
    expect(platformKeys('Alt+↑', 'iPad')).toBe('⌥+↑')
    expect(platformKeys('Ctrl+Shift+F', 'Linux x86_64')).toBe('Ctrl+Shift+F')
  })
})

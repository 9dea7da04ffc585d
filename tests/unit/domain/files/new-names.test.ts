import { describe, expect, it } from 'vitest'
import { type NamedEntry, newNames } from '../../../../src/domain/files/renames/new-names.ts'
import type { RenamePattern } from '../../../../src/domain/files/renames/renames.ts'

const MOMENT = '2026-03-01T23:30:15.123456789Z'

const file = (name: string, modified = MOMENT): NamedEntry => ({ name, isDir: false, modified })
const folder = (name: string): NamedEntry => ({ name, isDir: true, modified: MOMENT })

function renamed(names: readonly string[], pattern: RenamePattern): string[] {
  return newNames(
    names.map((name) => file(name)),
    pattern,
  )
}

describe('a pattern', () => {
  it('changes nothing by default', () => {
    const names = [' a b .txt', '.profile', 'a.tar.gz', 'ÄÖ.JPG']
    expect(renamed(names, {})).toEqual(names)
  })

  it('counts in the order of the entries and keeps their extensions', () => {
    const pattern = { template: 'Beach {n}', start: 9, step: 3, digits: 3 }
    expect(renamed(['b.jpg', 'a.tar.gz', 'c'], pattern)).toEqual(['Beach 009.jpg', 'Beach 012.tar.gz', 'Beach 015'])
    expect(newNames([folder('v1.2')], { template: '{name}-{n}' })).toEqual(['v1.2-1'])
  })

  it.each([
    [{}, '2026-03-01'],
    [{ timeZone: 'Europe/Berlin' }, '2026-03-02'],
    [{ timeZone: 'Europe/Berlin', date: 'DD.MM.YYYY hh-mm-ss' }, '02.03.2026 00-30-15'],
    [{ date: 'YYYYMMDD_hhmmss' }, '20260301_233015'],
  ])('writes the day of the last change by %j', (options, text) => {
    expect(renamed(['a.jpg'], { template: '{date}', ...options })).toEqual([`${text}.jpg`])
  })

  it('leaves out an invalid date, and refuses an unknown time zone', () => {
    expect(newNames([file('a.jpg', '')], { template: 'x{date}' })).toEqual(['x.jpg'])
    expect(() => renamed(['a'], { template: '{date}', timeZone: 'Moon' })).toThrow('there is no time zone "Moon"')
  })

  it('finds and replaces plain text, not regular expressions', () => {
    const names = ['IMG (1).jpg', 'img (1) IMG.jpg']
    expect(renamed(names, { find: 'IMG', replace: '$&$1' })).toEqual(['$&$1 (1).jpg', 'img (1) $&$1.jpg'])
    expect(renamed(names, { find: 'img', ignoreCase: true })).toEqual(['(1).jpg', '(1).jpg'])
    expect(renamed(names, { find: ' (1)' })).toEqual(['IMG.jpg', 'img IMG.jpg'])
    expect(renamed(['a.b^c$d|e\\f.x'], { find: '.b^c$d|e\\f', replace: '-' })).toEqual(['a-.x'])
  })

  it('finds text in the other Unicode form', () => {
    expect(renamed(['cafe\u0301.txt'], { find: 'caf\u00e9', replace: 'tea' })).toEqual(['tea.txt'])
    expect(renamed(['caf\u00e9.txt'], { find: 'cafe\u0301', replace: 'tea' })).toEqual(['tea.txt'])
  })

  it('finds letters as people know them, whatever their case and form', () => {
    const find = { find: 'straße', replace: 'way', ignoreCase: true }
    expect(renamed(['Lindenstrasse 1.txt', 'STRASSE.txt', 'Straße.txt'], find)).toEqual([
      'Lindenway 1.txt',
      'way.txt',
      'way.txt',
    ])
    expect(renamed(['İş.txt', 'ΟΔΟΣ.txt'], { find: 'i', replace: 'y', ignoreCase: true })).toEqual([
      'yş.txt',
      'ΟΔΟΣ.txt',
    ])
    expect(renamed(['cafe\u0301.txt', 'cafe.txt'], { find: 'e', replace: 'o' })).toEqual(['cafe\u0301.txt', 'cafo.txt'])
    expect(renamed(['테스트.txt'.normalize('NFD')], { find: '스', replace: '-' })).toEqual([
      `${'테'.normalize('NFD')}-${'트'.normalize('NFD')}.txt`,
    ])
  })

  it('changes extensions only if it is asked to', () => {
    const pattern = { find: 'jpeg', replace: 'jpg', letters: 'lower' } as const
    expect(renamed(['A jpeg.JPEG', 'b.jpeg'], pattern)).toEqual(['a jpg.JPEG', 'b.jpeg'])
    expect(renamed(['A jpeg.JPEG', 'b.jpeg'], { ...pattern, extension: true })).toEqual(['a jpg.jpeg', 'b.jpg'])
  })

  it.each([
    ['lower', 'ÎLE d’été.TXT', 'île d’été.TXT'],
    ['upper', 'straße ﬁn.txt', 'STRASSE FIN.txt'],
    ['words', "the OLD man's sea-story 2nd.txt", "The Old Man's Sea-Story 2nd.txt"],
    ['lower', 'TITLE.txt', 'title.txt'],
  ] as const)('makes letters %s: %s', (letters, name, expected) => {
    expect(renamed([name], { letters })).toEqual([expected])
  })

  it('gives an empty name where only an extension would be left', () => {
    expect(renamed(['IMG.jpg'], { find: 'IMG' })).toEqual([''])
    expect(renamed(['IMG.jpg'], { template: ' ' })).toEqual([''])
  })

  it('does not fill placeholders that come from a name', () => {
    expect(renamed(['{n}.txt'], { template: '{name}{n}{other}' })).toEqual(['{n}1{other}.txt'])
  })
})

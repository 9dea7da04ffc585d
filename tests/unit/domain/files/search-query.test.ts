import { describe, expect, it } from 'vitest'
import { compileSearchQuery, parseSearchQuery } from '../../../../src/domain/files/search-query.ts'

const NAMES = ['Report.PDF', 'report draft.pdf', 'photo.jpg', 'SONG.MP3', 'clip.mp4', 'note.txt', '.hidden', 'plans']

const found = (text: string, names = NAMES) => names.filter(compileSearchQuery(parseSearchQuery(text)))

describe('a search text', () => {
  it.each([
    ['report', ['Report.PDF', 'report draft.pdf']],
    ['REPORT', ['Report.PDF', 'report draft.pdf']],
    ['case:insensitive REPORT', ['Report.PDF', 'report draft.pdf']],
    ['case:sensitive Report', ['Report.PDF']],
    ['Reportcase:sensitive', ['Report.PDF']],
    ['idd', ['.hidden']],
  ])('%s looks for a part of the name', (text, names) => {
    expect(found(text)).toEqual(names)
  })

  it.each([
    ['type:image', ['photo.jpg']],
    ['type:audio', ['SONG.MP3']],
    ['type:music', ['SONG.MP3']],
    ['type:video', ['clip.mp4']],
    ['type:pdf', ['report draft.pdf']],
    ['type:PDF', ['Report.PDF']],
    ['case:sensitive type:pdf', ['report draft.pdf']],
    ['type:image type:txt', ['photo.jpg', 'note.txt']],
    ['type:none', []],
  ])('%s keeps names of any of the types', (text, names) => {
    expect(found(text)).toEqual(names)
  })

  it.each([
    ['photo plans', ['photo.jpg', 'plans']],
    ['type:image type:video clip', ['clip.mp4']],
    ['clip type:image', []],
    ['"report draft"', ['report draft.pdf']],
    ['"draft report"', []],
    ['type:pdf "REPORT DRAFT"', ['report draft.pdf']],
  ])('%s splits at spaces unless quoted', (text, names) => {
    expect(found(text)).toEqual(names)
  })

  it.each(['', '   ', '"', '""', 'case:sensitive', 'case:insensitive  '])('%j matches every name', (text) => {
    expect(found(text)).toEqual(NAMES)
  })

  it('does not find everything because of two spaces', () => {
    expect(found('photo  plans')).toEqual(['photo.jpg', 'plans'])
    expect(found('none  nothing')).toEqual([])
  })

  it.each(['TYPE:image', 'rep*', '+(+(a|+(b|*)))', 'report|photo', '(', 'type:'])(
    'CVE-2016-10540, CVE-2026-26996: takes %s as it is written, never for a pattern',
    (text) => {
      expect(found(text)).toEqual([])
      expect(found(text, [`a ${text} b`])).toEqual([`a ${text} b`])
    },
  )

  it.each([
    ['ÜNI', 'üni.txt'],
    ['é', 'e\u0301.txt'],
    ['e\u0301', 'é.txt'],
    ['temperature', 'température.txt'],
    ['straße', 'STRASSE.txt'],
    ['istanbul', 'İstanbul.txt'],
    ['ISTANBUL', 'ıstanbul.txt'],
    ['οδος', 'ΟΔΟΣΣ.txt'],
    ['테스트', '테스트_맥.txt'.normalize('NFD')],
    ['"grüße an"', 'Grusse An.txt'],
  ])('%s finds %s', (text, name) => {
    expect(found(text, [name])).toEqual([name])
  })

  it('finds only the same case and accents if asked to, in any Unicode form', () => {
    const names = ['Émile', 'E\u0301mile', 'émile', 'Emile']
    expect(found('case:sensitive Émile', names)).toEqual(['Émile', 'E\u0301mile'])
    expect(found('case:sensitive E\u0301mile', names)).toEqual(['Émile', 'E\u0301mile'])
    expect(found('case:sensitive Emile', names)).toEqual(['Emile'])
  })

  it('finds a mark or an invisible character that is all there is to find', () => {
    expect(found('´', ['a´b', 'a b', 'ab'])).toEqual(['a´b'])
    expect(found('\u200b', ['a\u200bb', 'ab'])).toEqual(['a\u200bb'])
  })
})

import { describe, expect, it } from 'vitest'
import { foldWithPlaces, rangesOf } from '../../../../src/domain/text/find-in-text.ts'
import { composed, foldForDisks, foldForSearch, foldName } from '../../../../src/domain/text/fold.ts'

const FOLDS = [foldName, foldForDisks, foldForSearch]

/** All characters that Unicode folds to several ("F" in its table), with what they become. */
const EXPANSIONS =
  'ß ss|İ i̇|ŉ ʼn|ǰ ǰ|ΐ ΐ|ΰ ΰ|և եւ|ẖ ẖ|ẗ ẗ|ẘ ẘ|ẙ ẙ|ẚ aʾ|ẞ ss|ὐ ὐ|ὒ ὒ|ὔ ὔ|ὖ ὖ|ᾀ ἀι|ᾈ ἀι|ᾐ ἠι|ᾘ ἠι|ᾠ ὠι|ᾨ ὠι|ᾲ ὰι|ᾳ αι|ᾴ άι|ᾶ ᾶ|ᾷ ᾶι|ᾼ αι|ῂ ὴι|ῃ ηι|ῄ ήι|ῆ ῆ|ῇ ῆι|ῌ ηι|ῒ ῒ|ῖ ῖ|ῗ ῗ|ῢ ῢ|ῤ ῤ|ῦ ῦ|ῧ ῧ|ῲ ὼι|ῳ ωι|ῴ ώι|ῶ ῶ|ῷ ῶι|ῼ ωι|ﬀ ff|ﬁ fi|ﬂ fl|ﬃ ffi|ﬄ ffl|ﬅ st|ﬆ st|ﬓ մն|ﬔ մե|ﬕ մի|ﬖ վն|ﬗ մխ'

describe('the identity of a name', () => {
  it.each([
    ['Latin', 'Max.TXT', 'mAX.txt'],
    ['German', 'Straße', 'STRASSE'],
    ['capital ß', 'STRAẞE', 'straße'],
    ['long s', 'ſtadt', 'Stadt'],
    ['umlauts', 'Jürgen', 'JÜRGEN'],
    ['final sigma', 'ΟΔΟΣ', 'οδος'],
    ['sigma before the extension', 'ΟΔΟΣ.txt', 'οδοσ.TXT'],
    ['capital I with a dot', 'İstanbul', 'istanbul'],
    ['I without a dot', 'ISTANBUL', 'ıstanbul'],
    ['İ with a mark below, too', 'I\u0323\u0307', 'i\u0323'],
    ['Cherokee', 'ꮿꮴ', 'ᏯᏤ'],
    ['Georgian', 'ᲗᲑᲘᲚᲘᲡᲘ', 'თბილისი'],
    ['the Kelvin sign', '300\u212a', '300k'],
    ['letters outside the basic plane', '𐐀', '𐐨'],
    ['NFD of Latin', 'Übersicht', 'u\u0308bersicht'],
    ['NFD of Hangul', '테스트', '테스트'.normalize('NFD')],
    ['NFD of kana', 'バス', 'ハ\u3099ス'],
    ['the order of marks', 'q\u0323\u0307', 'q\u0307\u0323'],
    ['soft hyphens', 'auto\u00admatic', 'automatic'],
    ['joiners and directions', 'a\u200db\u202e', 'ab'],
    ['variants of emojis', '❤\ufe0f', '❤'],
  ])('is the same for %s', (_, one, other) => {
    expect(foldName(one)).toBe(foldName(other))
  })

  it.each([
    ['accents', 'resume', 'résumé'],
    ['letters of other scripts', 'a', 'а'],
    ['width', 'A', 'Ａ'],
    ['kana with marks', 'ハス', 'バス'],
    ['vowels of Hindi', 'कि', 'का'],
    ['strokes', 'lodz', 'łodz'],
  ])('differs by %s', (_, one, other) => {
    expect(foldName(one)).not.toBe(foldName(other))
  })

  it('folds all that Unicode folds to several characters', () => {
    const pairs = EXPANSIONS.split('|').map((pair) => pair.split(' '))
    for (const [letter = '', folded = ''] of pairs) expect(foldName(letter), letter).toBe(foldName(folded))
    expect(pairs.length).toBeGreaterThan(50)
  })
})

it('every character folds like its upper case, its lower case and its decomposed form, once and for all', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x1ffff; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue
    const letter = String.fromCodePoint(code)
    const forms = [letter.toLowerCase(), letter.toUpperCase(), letter.normalize('NFD'), letter.normalize('NFC')]
    for (const fold of FOLDS) {
      const folded = fold(letter)
      const isStable = fold(folded) === folded && forms.every((form) => fold(form) === folded)
      if (!isStable) wrong.push(`${fold.name} ${code.toString(16)}`)
    }
  }
  expect(wrong).toEqual([])
})

it('folds for disks what a disk may normalise: width and style of letters', () => {
  for (const [one, other] of [
    ['ＭＡＸ', 'max'],
    ['𝓜𝓪𝔁', 'MAX'],
    ['ﾊﾞｽ', 'バス'],
    ['x²', 'X2'],
  ] as const)
    expect(foldForDisks(one)).toBe(foldForDisks(other))
  expect(foldForDisks('é')).not.toBe(foldForDisks('e'))
})

describe('search', () => {
  it.each([
    ['temperature', 'Température'],
    ['temperature', 'Température'.normalize('NFD')],
    ['ISTANBUL', 'İstanbul'],
    ['istanbul', 'ıstanbul'],
    ['ılık', 'ILIK'],
    ['strasse', 'Straße'],
    ['lodz', 'Łódź'],
    ['smorrebrod', 'Smørrebrød'],
    ['oeuvre', 'Œuvre'],
    ['thord', 'Þorð'],
    ['cong ty dien', 'Công ty Điện'],
    ['οδος', 'ὉΔΌΣ'],
    ['елка', 'Ёлка'],
    ['שלום', 'שָׁלוֹם'],
    ['محمد', 'مُحَمَّد'],
    ['احمد', 'أحمد'],
    ['img', 'ＩＭＧ'],
    ['カタカナ', 'ｶﾀｶﾅ'],
    ['테스트', '테스트'.normalize('NFD')],
  ])('finds by %s also %s', (typed, name) => {
    expect(foldForSearch(name)).toBe(foldForSearch(typed))
  })

  it.each([
    ['ハス', 'バス'],
    ['का', 'कि'],
    ['กา', 'กำ'],
    ['테', '데'],
  ])('tells %s and %s apart, which are other letters', (one, other) => {
    expect(foldForSearch(one)).not.toBe(foldForSearch(other))
  })

  it('folds letters of Europe, one by one and together, like their decomposed forms', () => {
    const letters = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code + 0x80))
    for (const text of [letters.join(''), letters.map((letter) => `i${letter}o`).join('')])
      expect(foldForSearch(text)).toBe(foldForSearch(`${text}Ω`).slice(0, -1))
  })

  it('finds in joined names what it finds in each', () => {
    const names = ['Ünï', 'ΟΔΟΣ', 'e\u0301', '테스트'.normalize('NFD'), 'İ', 'ﾊﾞ', '\u0301', 'Plain.txt']
    expect(foldForSearch(names.join('/'))).toBe(names.map(foldForSearch).join('/'))
  })
})

it('composes without changing anything else', () => {
  expect(composed('Ju\u0308rgen ß ﬁ Σ')).toBe('Jürgen ß ﬁ Σ')
  expect(composed('as it is')).toBe('as it is')
})

describe('ranges', () => {
  const found = (text: string, wanted: string, fold = foldForSearch) =>
    rangesOf(text, wanted, fold).map(([start, end]) => text.slice(start, end))

  it('are in the text as it is', () => {
    expect(found('Die Straße, STRASSE', 'strasse')).toEqual(['Straße', 'STRASSE'])
    expect(found('tempe\u0301rature', 'pera')).toEqual(['pe\u0301ra'])
    expect(found('테스트'.normalize('NFD'), '스')).toEqual(['스'.normalize('NFD')])
    expect(found('soft\u00adware', 'tw')).toEqual(['t\u00adw'])
    expect(found('aaaa', 'aa')).toEqual(['aa', 'aa'])
    expect(found('İİ', 'i')).toEqual(['İ', 'İ'])
  })

  it('never cut a letter from its marks, or in halves', () => {
    expect(found('Maße', 's')).toEqual([])
    expect(found('Maße', 'ss')).toEqual(['ß'])
    expect(found('cafe\u0301', 'e', composed)).toEqual([])
    expect(found('cafe\u0301', 'é', composed)).toEqual(['e\u0301'])
  })

  it('are empty for a text of which nothing is left', () => {
    expect(found('abc', '\u200b')).toEqual([])
    expect(found('abc', '')).toEqual([])
  })

  it('have a place for each character', () => {
    const { folded, places } = foldWithPlaces('xß😀', foldName)
    expect(folded).toBe('xss😀')
    expect(places).toEqual([[0, 1], [1, 2], [1, 2], [2, 4], [2, 4]]) // prettier-ignore
  })
})

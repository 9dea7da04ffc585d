import { describe, expect, it } from 'vitest'
import { compareBytes, naturalKey, sortListing } from '../../../../src/domain/files/listing-order.ts'
import { createNameOrder } from '../../../../src/domain/files/name-order.ts'

/** Sorts the reversed names, so that no order is right by chance. */
const sorted = (names: readonly string[]) =>
  names.toReversed().sort((a, b) => {
    const [left, right] = [naturalKey(a), naturalKey(b)]
    return left < right ? -1 : left > right ? 1 : 0
  })

describe('natural order', () => {
  it.each([
    ['numbers by value', ['file', 'file1', 'file2', 'file10', 'filea']],
    ['numbers beyond 64 bits', ['n9', 'n18446744073709551615', 'n18446744073709551616', `n${'9'.repeat(200)}`]],
    ['what follows equal numbers', ['v9.txt', 'v09a.txt', 'v10.txt']],
    ['zeros at the end of a name', ['file002', 'file02', 'file2', 'file10']],
    ['only zeros', ['a', 'a0', 'a000', 'a1']],
    ['a name before its continuations', ['2', '2b', '02bc']],
    ['digits among other characters', ['a-', 'a.', 'a0', 'a9', 'a:', 'aa']],
    ['by code points, where UTF-16 would not', ['a\ud7ff', 'a\ue000', 'a\uffee', 'a😀', 'a\u{10ffff}']],
    ['the empty name', ['', '0', 'a']],
  ])('compares %s', (_, names) => {
    expect(sorted(names)).toEqual(names)
  })

  it('ignores other leading zeros, so that the bytes of the names decide', () => {
    expect(naturalKey('v009.txt')).toBe(naturalKey('v9.txt'))
  })
})

it('compareBytes orders names by their UTF-8 bytes', () => {
  const names = ['', 'a', 'aa', 'ä', '\ud7ff', '\ue000', '\ufb01', '😀', '\u{10ffff}']
  expect(names.toReversed().sort(compareBytes)).toEqual(names)
  const encoded = names.map((name) => Buffer.from(name))
  expect(encoded.toSorted(Buffer.compare)).toEqual(encoded)
})

describe('the order of names', () => {
  const ordered = (names: readonly string[], asc = false) => {
    const columns = {
      name: (index: number) => names[index] ?? '',
      isDir: () => false,
      size: () => 0,
      compareTimes: () => 0,
      compareNames: (one: number, other: number) => compareBytes(names[one] ?? '', names[other] ?? ''),
    }
    return sortListing([...names.keys()], columns, { by: 'name', asc }).map((index) => names[index])
  }

  it.each([
    ['accented letters beside plain ones', ['Apfel', 'Äpfel', 'Eau', 'École', 'Fin', 'über', 'zoo']],
    ['accents only among names that are the same otherwise', ['cote 1', 'côte 1', 'cote 2', 'côte 2', 'cote 10']],
    ['letters with a stroke', ['Lódź 9', 'Łódź 10', 'lotus']],
    ['the letters of Turkish', ['ılık', 'İlker', 'inci', 'ISPARTA']],
    ['Unicode forms alike', ['é 2', 'e\u0301 3', 'é 4']],
    ['Hangul in any form', ['가 2', '가 3'.normalize('NFD'), '각', '나'.normalize('NFD'), '다']],
    ['plain names as bytes', ['!', '-', '_x', 'A', 'a', 'b']],
  ])('has %s', (_, names) => {
    expect(ordered(names.toReversed())).toEqual(names)
    expect(names.toReversed().sort(createNameOrder())).toEqual(names)
  })

  it('is the reverse from Z to A, but for names that differ only in case, Unicode form or zeros', () => {
    expect(ordered(['b', 'Äpfel', 'apfel', 'Apfel'], true)).toEqual(['b', 'Äpfel', 'Apfel', 'apfel'])
    expect(ordered(['é', 'e\u0301'], true)).toEqual(['e\u0301', 'é'])
    expect(ordered(['f2.txt', 'f02.txt'], true)).toEqual(['f02.txt', 'f2.txt'])
  })

  it('does not depend on the order on the disk', () => {
    const names = [
      'ä',
      'a\u0308',
      'Ä',
      'a',
      'A',
      'à',
      'ß',
      'ss',
      'SS',
      'ı',
      'i',
      'I',
      'İ',
      'Ａ',
      'x²',
      'x2',
      'x02',
      '\u200b',
    ]
    const once = ordered(names)
    for (let turn = 1; turn < names.length; turn += 1)
      expect(ordered([...names.slice(turn), ...names.slice(0, turn)])).toEqual(once)
    expect(names.toSorted(createNameOrder())).toEqual(once)
  })
})

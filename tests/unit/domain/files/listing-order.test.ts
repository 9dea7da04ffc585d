import { describe, expect, it } from 'vitest'
import { compareBytes, naturalKey } from '../../../../src/domain/files/listing-order.ts'

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

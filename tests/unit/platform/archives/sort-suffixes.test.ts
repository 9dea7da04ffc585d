import { expect, it } from 'vitest'
import { sortSuffixes } from '../../../../src/platform/archives/codecs/bzip2/last-column.ts'

function sorted(text: Uint8Array, symbols: number): number[] {
  const room = new Int32Array(text.length)
  sortSuffixes(text, symbols, room)
  return [...room]
}

/** By comparing whole suffixes. */
function compared(text: Uint8Array): number[] {
  const suffixes = Array.from(text, (_, at) => Buffer.from(text.subarray(at)))
  return [...suffixes.keys()].sort((one, other) => Buffer.compare(suffixes[one] ?? text, suffixes[other] ?? text))
}

/** All texts of a length with the given number of symbols. */
function* everyText(length: number, symbols: number): Generator<Uint8Array> {
  for (let number = 0; number < symbols ** length; number += 1)
    yield Uint8Array.from({ length }, (_, at) => Math.floor(number / symbols ** at) % symbols)
}

it.each([
  [10, 2],
  [7, 3],
  [5, 4],
])('sorts the suffixes of every text of up to %i symbols of %i', (length, symbols) => {
  for (let shorter = 1; shorter <= length; shorter += 1)
    for (const text of everyText(shorter, symbols)) expect(sorted(text, symbols), String(text)).toEqual(compared(text))
})

it('sorts suffixes that differ only far from where they begin', () => {
  const period = Uint8Array.from({ length: 97 }, (_, at) => (at * at) % 89)
  const text = Uint8Array.from({ length: 3000 }, (_, at) => period[at % period.length] ?? 0)
  text[2500] = 200
  expect(sorted(text, 256)).toEqual(compared(text))
})

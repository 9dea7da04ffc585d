import { describe, expect, it } from 'vitest'
import { formatByteSize, parseByteSize } from '../../../../src/domain/text/units.ts'
describe('parseByteSize', () => {
  it.each([
    ['20MB', 20_971_520],
    ['20 mib', 20_971_520],
    ['1.5k', 1536],
    ['4096', 4096],
    ['7B', 7],
    ['2T', 2_199_023_255_552],
  ])('reads %s as %i bytes', (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes)
  })

  it.each(['', 'MB', '-1', '1e3', '5 apples', '9999999TB'])('refuses "%s"', (text) => {
    expect(parseByteSize(text)).toBeUndefined()
  })
})

describe('formatByteSize', () => {
  it.each([0, 1, 1000, 1536, 20_971_520, 1024 ** 4])('writes %i so that it reads back as the same number', (bytes) => {
    expect(parseByteSize(formatByteSize(bytes))).toBe(bytes)
  })

  it('takes the largest unit that divides evenly', () => {
    expect(formatByteSize(20_971_520)).toBe('20MB')
    expect(formatByteSize(1536)).toBe('1536B')
  })
})

import { describe, expect, it } from 'vitest'
import {
  formatByteSize,
  formatMode,
  parseByteSize,
  parseDuration,
  parseMode,
} from '../../../../src/domain/text/units.ts'

describe('parseByteSize', () => {
  it.each([
    ['20MB', 20_971_520],
    ['20MiB', 20_971_520],
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
    expect(formatByteSize(20_971_520)).toBe('20MiB')
    expect(formatByteSize(1536)).toBe('1536B')
  })
})

describe('parseDuration', () => {
  it.each([
    ['2h30m', 9_000_000],
    ['7d', 604_800_000],
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['6d 23h', 601_200_000],
    ['0', 0],
  ])('reads %s as %i milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each(['', '5', 'h', '2 h', '-1h', '1y', '2h30'])('refuses "%s"', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})

describe('parseMode', () => {
  it.each([
    ['640', 0o640, '0640'],
    ['0640', 0o640, '0640'],
    ['0o640', 0o640, '0640'],
    ['7', 0o7, '0007'],
    ['2775', 0o2775, '2775'],
    [' 02775 ', 0o2775, '2775'],
  ])('reads the mode "%s"', (text, mode, shown) => {
    expect([parseMode(text), formatMode(mode)]).toEqual([mode, shown])
  })

  it.each(['', '0888', 'rwx', '-1', '0x1ff', '1000000'])('finds no mode in "%s"', (text) => {
    expect(parseMode(text)).toBeUndefined()
  })
})

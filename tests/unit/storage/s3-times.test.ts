import { expect, it } from 'vitest'
import { metadataWith, newTime, timeIn } from '../../../src/storage/s3/stored-object.ts'

it('keeps a time to the nanosecond, as rclone writes it', () => {
  expect(metadataWith({ other: 'x' }, 1_234_567_890_000_000_042n)).toEqual({
    other: 'x',
    mtime: '1234567890.000000042',
  })
  expect(timeIn({ mtime: '1234567890.000000042' })).toBe(1_234_567_890_000_000_042n)
  expect(timeIn({ mtime: '1234567890.5' })).toBe(1_234_567_890_500_000_000n)
  expect(timeIn({ mtime: '1234567890' })).toBe(1_234_567_890_000_000_000n)
  expect(metadataWith({}, -1_500_000_000n)).toEqual({ mtime: '-1.500000000' })
  expect(timeIn({ mtime: '-1.5' })).toBe(-1_500_000_000n)
})

it.each([undefined, '', 'yesterday', '--5', '1e9', '999999999999'])('finds no time in "%s"', (mtime) => {
  expect(timeIn(mtime === undefined ? undefined : { mtime })).toBeUndefined()
  expect(metadataWith(undefined, undefined)).toEqual({})
})

it('gives a saved file a later time than the one that it replaces, even in the same moment', () => {
  expect(newTime(undefined, 1000, undefined)).toBe(1_000_000_000n)
  expect(newTime(undefined, 1000, 1_500_000_000n)).toBe(1_501_000_000n)
  expect(newTime(undefined, 1000, 99_000_000_000n)).toBe(1_000_000_000n)
  expect(newTime(-250n, 1000, 1_500_000_000n)).toBe(-250n)
})

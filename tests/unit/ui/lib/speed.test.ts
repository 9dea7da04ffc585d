import { describe, expect, it } from 'vitest'
import { createFormat } from '../../../../ui/src/lib/format.ts'
import { formatDuration, formatSpeed, readSpeed, secondsLeft, STILL } from '../../../../ui/src/lib/speed.ts'

/** Reads a steady stream: `bytes` more at each time. */
function read(times: readonly number[], bytes: number) {
  return times.reduce((meter, now, index) => readSpeed(meter, index * bytes, now), STILL)
}

describe('the speed of uploads', () => {
  it('is bytes per second', () => {
    expect(read([0, 500], 1000).speed).toBe(2000)
  })

  it('ignores readings less than 100 ms after the last one', () => {
    const before = read([0, 100], 10)
    expect(readSpeed(before, 1_000_000, 199)).toBe(before)
    expect(readSpeed(before, 1_000_000, 200)).not.toBe(before)
  })

  it('smooths the mean of the last five 0.2 to 0.8', () => {
    const steady = read([0, 1000, 2000, 3000, 4000, 5000], 100)
    expect(steady.speed).toBeCloseTo(100)
    const burst = readSpeed(steady, 500 + 600, 6000)
    expect(burst.samples).toEqual([100, 100, 100, 100, 600])
    expect(burst.speed).toBeCloseTo(0.2 * 200 + 0.8 * 100)
  })

  it('is never negative when a failed file leaves the total', () => {
    expect(readSpeed(read([0, 1000], 500), 100, 2000).samples.at(-1)).toBe(0)
  })
})

describe('the remaining time', () => {
  it('is formatted as hours, minutes and seconds', () => {
    expect(formatDuration(87)).toBe('00:01:27')
    expect(formatDuration(3600 * 25 + 61.2)).toBe('25:01:02')
    expect(formatDuration(0)).toBe('00:00:00')
  })

  it('is dashes without progress', () => {
    expect(formatDuration(secondsLeft(1000, 0))).toBe('--:--:--')
    expect(secondsLeft(0, 0)).toBe(0)
    expect(secondsLeft(1000, 500)).toBe(2)
  })

  it('uses the units of sizes', () => {
    expect(formatSpeed(createFormat('en'), 512 * 1024, 'en')).toBe('512 KiB/s')
    expect(formatSpeed(createFormat('en'), 24.6 * 1024 * 1024, 'en')).toBe('24.6 MiB/s')
    expect(formatSpeed(createFormat('fr'), 2048, 'fr')).toBe('2 Kio/s')
    expect(formatSpeed(createFormat('ru'), 2048, 'ru')).toMatch(/^2 КиБ\/./)
    expect(formatSpeed(createFormat('ar', 'rtl'), 2048, 'ar')).toMatch(/^\u2068.*\/.*\u2069$/)
  })
})

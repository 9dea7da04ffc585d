import type { Format } from './format.ts'

const SAMPLE_INTERVAL = 100
const SAMPLES = 5
const WEIGHT_OF_NEW = 0.2

/** Measures upload speed. Immutable: each reading returns a new state. */
export interface SpeedMeter {
  /** Time of the last accepted reading in milliseconds; null before the first. */
  readonly at: number | null
  readonly bytes: number
  /** Recent readings in bytes per second, oldest first. */
  readonly samples: readonly number[]
  /** Smoothed, bytes per second; 0 before the first reading. */
  readonly speed: number
}

export const STILL: SpeedMeter = { at: null, bytes: 0, samples: [], speed: 0 }

/**
 * Adds a reading of the total bytes sent. Readings within 100 ms are skipped; the mean of five is smoothed 0.2 to 0.8,
 * so that the number stays readable.
 */
export function readSpeed(meter: SpeedMeter, sentBytes: number, now: number): SpeedMeter {
  if (meter.at === null) return { ...meter, at: now, bytes: sentBytes }
  const elapsed = now - meter.at
  if (elapsed < SAMPLE_INTERVAL) return meter
  const sample = (Math.max(0, sentBytes - meter.bytes) * 1000) / elapsed
  const samples = [...meter.samples, sample].slice(-SAMPLES)
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length
  const speed = meter.samples.length === 0 ? mean : mean * WEIGHT_OF_NEW + meter.speed * (1 - WEIGHT_OF_NEW)
  return { at: now, bytes: sentBytes, samples, speed }
}

/** Seconds until the rest is sent; Infinity while nothing moves. */
export function secondsLeft(bytesLeft: number, speed: number): number {
  if (bytesLeft <= 0) return 0
  return speed > 0 ? bytesLeft / speed : Infinity
}

/** "00:01:27", and "--:--:--" when the time is unknown. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '--:--:--'
  const whole = Math.ceil(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** "24.6 MiB/s", in French "24,6 Mio/s". */
export function formatSpeed(format: Pick<Format, 'bytes'>, bytesPerSecond: number, locale: string): string {
  const perSecond = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte-per-second' }).format(1)
  const rate = /\/.*$/.exec(perSecond)?.[0] ?? '/s'
  // In right-to-left text, before the mark that ends the isolated size.
  return format.bytes(bytesPerSecond).replace(/\u2069?$/, (end) => rate + end)
}

/** Shorter things start over: nobody looks for his place in them. */
const SHORTEST_REMEMBERED = 60
/** Who stopped in the last seconds has seen it. */
const END = 10
/** Who stopped in the first seconds has seen nothing. */
const START = 5

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const
export const SKIP = 5
export const VOLUME_STEP = 0.1

/** The place worth keeping, in seconds; null when the next time starts over. */
export function placeWorthKeeping(time: number, duration: number): number | null {
  if (!Number.isFinite(duration) || duration < SHORTEST_REMEMBERED) return null
  return time < START || time > duration - END ? null : Math.floor(time)
}

/** Where to begin; 0 unless a place of this file was kept. */
export function startOf(kept: string | undefined, duration: number): number {
  const seconds = Number(kept ?? 0)
  return Number.isFinite(seconds) && placeWorthKeeping(seconds, duration) !== null ? seconds : 0
}

export function slower(speed: number): number {
  return SPEEDS.findLast((step) => step < speed) ?? SPEEDS[0]
}

export function faster(speed: number): number {
  return SPEEDS.find((step) => step > speed) ?? SPEEDS[SPEEDS.length - 1] ?? 3
}

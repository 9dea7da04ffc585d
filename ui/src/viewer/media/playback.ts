/** Seconds. Shorter videos and songs always start from the beginning. */
const MIN_DURATION = 60
/** Seconds. Stopped this close to the end, it counts as finished. */
const END = 10
/** Seconds. Stopped this early, it starts from the beginning. */
const START = 5

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const
export const SKIP = 5
export const VOLUME_STEP = 0.1

/** The position to save, in seconds; null if playback is to start from the beginning next time. */
export function positionToSave(time: number, duration: number): number | null {
  if (!Number.isFinite(duration) || duration < MIN_DURATION) return null
  return time < START || time > duration - END ? null : Math.floor(time)
}

/** Where to start, in seconds; 0 unless a position of this file was saved. */
export function startPosition(saved: string | undefined, duration: number): number {
  const seconds = Number(saved ?? 0)
  return Number.isFinite(seconds) && positionToSave(seconds, duration) !== null ? seconds : 0
}

export function slower(speed: number): number {
  return SPEEDS.findLast((step) => step < speed) ?? SPEEDS[0]
}

export function faster(speed: number): number {
  return SPEEDS.find((step) => step > speed) ?? SPEEDS[SPEEDS.length - 1] ?? 3
}

/** "de" for "film.de.srt" next to "film.mp4"; "" if the name adds nothing to that of the video. */
export function subtitleLabel(subtitle: string, video: string): string {
  const stem = video.replace(/\.[^.]*$/, '')
  const rest = subtitle.replace(/\.[^.]*$/, '')
  const label = rest.startsWith(stem) ? rest.slice(stem.length) : rest
  return label.replace(/^[\s._-]+/, '')
}

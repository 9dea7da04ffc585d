/** How far something is scrolled, from 0 to 1; 0 when all of it is seen. */
export function progressOf(top: number, length: number): number {
  return length <= 0 ? 0 : Math.min(Math.max(top / length, 0), 1)
}

/** The place of something of another length that is as far. */
export function placeAt(progress: number, length: number): number {
  return Math.round(progress * Math.max(length, 0))
}

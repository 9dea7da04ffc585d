/** Milliseconds after which a finger that rests is a long press. */
export const LONG_PRESS = 500
/** Pixels. */
const TOLERANCE = 10

/** True when the pointer went too far for a long press. */
export function movedAway(from: { x: number; y: number }, to: { x: number; y: number }): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) > TOLERANCE
}

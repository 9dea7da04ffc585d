/** Which hits are chosen, by their places in the list: hits only ever come behind those that are there. */
export interface HitSelection {
  /** The one that keys act on; -1 where there is none. */
  readonly active: number
  /** More than one, or one that was chosen by hand; else the active one stands for itself. */
  readonly chosen: ReadonlySet<number>
  moveTo(index: number): HitSelection
  /** Chooses everything from where the last choice began. */
  extendTo(index: number): HitSelection
  toggle(index: number): HitSelection
  /** What an action is about, in the order of the list. */
  targets(): number[]
}

export function createHitSelection(
  active: number,
  chosen: ReadonlySet<number> = new Set(),
  anchor: number = active,
): HitSelection {
  return {
    active,
    chosen,
    moveTo: (index) => createHitSelection(index),
    extendTo(index) {
      const [first, last] = anchor < index ? [anchor, index] : [index, anchor]
      const range = Array.from({ length: last - first + 1 }, (_, step) => first + step)
      return createHitSelection(index, new Set(range), anchor)
    },
    toggle(index) {
      const next = new Set(chosen)
      if (!next.delete(index)) next.add(index)
      return createHitSelection(index, next)
    },
    targets: () => (chosen.size > 0 ? [...chosen].sort((a, b) => a - b) : active < 0 ? [] : [active]),
  }
}

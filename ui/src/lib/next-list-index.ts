interface ListPosition {
  /** -1 before the first key press. */
  readonly index: number
  readonly count: number
  /** Number of visible options. */
  readonly page: number
}

/** The option that a key moves to while focus stays in a text field; `undefined` for other keys. */
export function nextListIndex(key: string, { index, count, page }: ListPosition): number | undefined {
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return index + 1 >= count ? 0 : index + 1
    case 'ArrowUp':
      return index <= 0 ? count - 1 : index - 1
    case 'PageDown':
      return Math.min(count - 1, Math.max(0, index) + page)
    case 'PageUp':
      return Math.max(0, index - page)
    default:
      return undefined
  }
}

/** When what is shown now was seen, in milliseconds; `null` while the server answers. */
export interface KeptSince {
  get(): number | null
  set(next: number | null): void
}

export function createKeptSince(onChange: (next: number | null) => void): KeptSince {
  let current: number | null = null
  return {
    get: () => current,
    set(next) {
      if (next === current) return
      current = next
      onChange(next)
    },
  }
}

/** As `<input type="datetime-local">` writes it, in the zone of the browser: "2026-03-01T09:30". */
export function toLocalText(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The moment that such a text names; undefined while it is incomplete. */
export function fromLocalText(text: string): Date | undefined {
  const date = new Date(text)
  return /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(date.getTime()) ? date : undefined
}

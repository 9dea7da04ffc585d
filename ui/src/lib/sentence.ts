/** Words of the server, which begin small and end open, as a sentence. */
export function sentence(text: string): string {
  const start = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(start) ? start : `${start}.`
}

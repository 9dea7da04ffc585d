/** The beginning of a text that takes at most so many bytes in UTF-8, cut between characters. */
export function truncateToBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)
}

/** The beginning of a text in so many UTF-16 units, cut between characters. Half a character would be no valid text. */
export function truncate(text: string, length: number): string {
  const start = text.slice(0, length)
  return start.length < text.length ? start.replace(/[\ud800-\udbff]$/, '') : start
}

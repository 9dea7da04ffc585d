/** The beginning of a text that takes at most so many bytes in UTF-8, cut between characters. */
export function truncateToBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)
}

/** Control characters and bidirectional controls: they move the cursor, end lines and reverse text. */
// eslint-disable-next-line no-control-regex -- matches control characters on purpose
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Makes untrusted text safe for a terminal, where escape sequences could forge output. */
export function printable(text: string, inPlaceOf: (character: string) => string = () => '\ufffd'): string {
  return text.replace(UNPRINTABLE, inPlaceOf)
}

/**
 * The same JSON value, without raw characters that a terminal would act on: JSON escapes only some of them. Line breaks are kept,
 * since they are never inside a string.
 */
export function printableJson(json: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return printable(json, (character) => (character === '\n' ? character : escaped(character)))
}

/** True for a name with line breaks or bidirectional controls, which can make it look like another name. */
export function hasControls(name: string): boolean {
  // Plain direction marks are allowed: names in mixed directions may need them.
  return /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name)
}

/** The same for a text of several lines. */
export function hasControlsBesideLines(text: string): boolean {
  return hasControls(text.replace(/\r?\n|\t/g, ''))
}

/** The beginning of a text that takes at most so many bytes in UTF-8, cut between characters. */
export function truncateToBytes(text: string, bytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)
}

/** The beginning of a text in so many UTF-16 units, cut between characters. Half a character would be no valid text. */
export function truncate(text: string, length: number): string {
  const start = text.slice(0, length)
  return start.length < text.length ? start.replace(/[\ud800-\udbff]$/, '') : start
}

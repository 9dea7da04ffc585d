/** Bytes from the start of a text that are more than its picture shows. */
export const TEXT_HEAD_BYTES = 4096
const MAX_LINES = 24
/** Characters in a line; the rest of a longer one goes on below. */
const LINE = 36
const TOP = 18
const LINE_HEIGHT = 14
const SIDE = 10

/** Spaces that indent a line, or follow another one, would not be drawn. */
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', ' ': '\u00a0' }
/** What XML does not allow, and marks that would reorder the text around them. */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Bidi_Control}\ufeff]/gu
/** The first letter belongs to a script that is written from right to left. */
const RIGHT_TO_LEFT = /^\P{L}*[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u

/**
 * The first lines of a text as a drawing. It has no measures, so it is as large as its frame and its letters always have the same
 * size; a grey that can be read on light and on dark.
 */
export function textPicture(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).slice(0, MAX_LINES)
  const shown = lines.flatMap((line) => wrapped(line.replaceAll('\t', '  ').replace(UNUSABLE, ''))).slice(0, MAX_LINES)
  const drawn = shown.map((line, index) => {
    const place = RIGHT_TO_LEFT.test(line) ? `x="100%" dx="-${SIDE}" direction="rtl"` : `x="${SIDE}"`
    return `<text y="${TOP + index * LINE_HEIGHT}" ${place}>${escaped(line)}</text>`
  })
  const style = 'font-family="ui-monospace,monospace" font-size="10" fill="#6f7a8a"'
  return `<svg xmlns="http://www.w3.org/2000/svg"><g ${style}>${drawn.join('')}</g></svg>`
}

function wrapped(line: string): string[] {
  const characters = [...line]
  return Array.from({ length: Math.max(1, Math.ceil(characters.length / LINE)) }, (_, index) =>
    characters.slice(index * LINE, (index + 1) * LINE).join(''),
  )
}

function escaped(text: string): string {
  return text.replace(/[<>& ]/g, (character) => ESCAPES[character] ?? '')
}

/** The bytes without a character that their end cuts, if they are UTF-8. */
export function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  return ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0 ? bytes.subarray(0, end - 1) : bytes
}

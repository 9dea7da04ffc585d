/**
 * Names on a disk are bytes, and some are not UTF-8. As text, each byte that is no part of valid UTF-8 is one lone surrogate,
 * U+DC80 to U+DCFF (the "surrogateescape" of Python). Every name has exactly one text, which gives exactly its bytes again.
 */

const ESCAPES = 0xdc00
const ESCAPED = /[\udc80-\udcff]/u
/** A noncharacter. In texts for what accepts only well-formed text, it precedes the hexadecimal digits of an escaped byte. */
const MARK = '\ufdd0'
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const exactly = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const encoder = new TextEncoder()

export function textOfBytes(bytes: Uint8Array): string {
  const text = utf8.decode(bytes)
  return text.includes('\ufffd') ? escapedText(bytes) : text
}

function escapedText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const character = characterAt(bytes, at)
    text += character ?? String.fromCharCode(ESCAPES + (bytes[at] ?? 0))
    at += character === undefined ? 1 : encoder.encode(character).length
  }
  return text
}

/** Undefined if there is no valid UTF-8 at this position. */
function characterAt(bytes: Uint8Array, at: number): string | undefined {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  try {
    return exactly.decode(bytes.subarray(at, at + length))
  } catch {
    return undefined
  }
}

/** The reverse of `textOfBytes`. Lone surrogates that stand for no byte become U+FFFD; `isNameText` finds them. */
export function bytesOfText(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text)
  const parts = text
    .split(/([\udc80-\udcff])/u)
    .map((part) => (ESCAPED.test(part) ? [byteOf(part)] : encoder.encode(part)))
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function byteOf(escaped: string): number {
  return escaped.charCodeAt(0) - ESCAPES
}

/**
 * Whether a text is the one text of some bytes. The attack: "é" as two escaped bytes, which would open the file that a rule denies
 * under its proper name.
 */
export function isNameText(text: string): boolean {
  return text.isWellFormed() || textOfBytes(bytesOfText(text)) === text
}

/** Like `encodeURIComponent`, which throws for lone surrogates: escaped bytes become what they are, such as "%E9". */
export function encodeName(name: string): string {
  if (name.isWellFormed()) return encodeURIComponent(name)
  const parts = name.split(/([\udc80-\udcff])/u)
  return parts
    .map((part) => (ESCAPED.test(part) ? `%${hexOf(byteOf(part))}` : encodeURIComponent(part.toWellFormed())))
    .join('')
}

/** A path with each segment percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeName).join('/')
}

/** Like `decodeURIComponent`, but bytes that are not UTF-8 are allowed. @throws URIError for an invalid escape */
export function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    if (!(error instanceof URIError) || /%(?![0-9a-f]{2})/i.test(encoded)) throw error
  }
  const parts = encoded.split(/((?:%[0-9a-f]{2})+)/i)
  return parts.map((part, index) => (index % 2 === 0 ? part : textOfBytes(bytesOfEscapes(part)))).join('')
}

function bytesOfEscapes(run: string): Uint8Array {
  return Uint8Array.from(run.slice(1).split('%'), (hex) => parseInt(hex, 16))
}

/** Replaces escaped bytes for routers and databases, which refuse lone surrogates. Different texts stay different. */
export function markedText(text: string): string {
  return text.replace(/\ufdd0|[\udc80-\udcff]/gu, (found) => MARK + (found === MARK ? '00' : hexOf(byteOf(found))))
}

/** The reverse of `markedText`. */
export function unmarkedText(text: string): string {
  if (!text.includes(MARK)) return text
  return text.replace(/\ufdd0([0-9A-F]{2})/g, (_, hex: string) =>
    hex === '00' ? MARK : String.fromCharCode(ESCAPES + parseInt(hex, 16)),
  )
}

function hexOf(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}

/**
 * Names on a disk are bytes, and some are not UTF-8. As text, each byte that is no part of valid UTF-8 is one lone surrogate,
 * U+DC80 to U+DCFF (the "surrogateescape" of Python). Every name has exactly one text, which gives exactly its bytes again.
 */

const ESCAPES = 0xdc00
const ESCAPED = /[\udc80-\udcff]/u
/** A noncharacter. In texts for what accepts only well-formed text, it precedes the hexadecimal digits of an escaped byte. */
const MARK = '\ufdd0'
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

export function textOfBytes(bytes: Uint8Array): string {
  const text = utf8.decode(bytes)
  return text.includes('\ufffd') ? escapedText(bytes) : text
}

function escapedText(bytes: Uint8Array): string {
  let text = ''
  let start = 0
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at)
    if (length === 0) {
      if (start < at) text += utf8.decode(bytes.subarray(start, at))
      text += String.fromCharCode(ESCAPES + (bytes[at] ?? 0))
      start = at + 1
    }
    at += length || 1
  }
  return text + utf8.decode(bytes.subarray(start))
}

/** Bytes of the character at this position; 0 if there is no valid UTF-8. Archives have megabytes of names that are none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]]
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  // Longer than necessary, surrogates, and what lies beyond Unicode (RFC 3629).
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let next = at + 2; next < at + length; next += 1) if ((bytes[next] ?? 0) >> 6 !== 0b10) return 0
  return length
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

/**
 * A text for programs of others, of which many refuse JSON with lone surrogates: "\xE9" in place of an escaped byte. Different
 * texts may become one.
 */
export function wellFormedText(text: string): string {
  if (text.isWellFormed()) return text
  return text.replace(/[\udc80-\udcff]/gu, (escaped) => `\\x${hexOf(byteOf(escaped))}`).toWellFormed()
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

const MAX_NAME_BYTES = 255
const MAX_EXTENSION_LENGTH = 10

export const NAME_PROBLEMS = ['empty', 'slash', 'dots', 'controls', 'tooLong'] as const
export type NameProblem = (typeof NAME_PROBLEMS)[number]

/** Why a text cannot be the name of an entry on any disk; undefined if it can. */
export function nameProblem(name: string): NameProblem | undefined {
  if (name === '') return 'empty'
  if (name.includes('/')) return 'slash'
  if (name === '.' || name === '..') return 'dots'
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return 'controls'
  return encoder.encode(name).length > MAX_NAME_BYTES ? 'tooLong' : undefined
}

/** Length of a name without its extension, ".tar.gz" included; folders have none. */
export function stemLength(name: string, isDir: boolean): number {
  if (isDir) return name.length
  const double = /\.tar\.[a-z0-9]{1,4}$/i.exec(name)
  const dot = double?.index ?? name.lastIndexOf('.')
  return dot <= 0 || name.length - dot > MAX_EXTENSION_LENGTH ? name.length : dot
}

import { type Encoding, ENCODINGS, encodingFacts, decodeUnicode } from './encodings.ts'

/** Bytes examined to recognize UTF-16 without a byte order mark. */
const WIDE_SAMPLE = 4096
/** Bytes from which an encoding is detected. More would not make the result better. */
export const ENCODING_SAMPLE = 16 * 1024
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * The encoding that the bytes themselves prove: by a byte order mark, by the zero bytes of UTF-16, or because they are valid UTF-8.
 * "binary" for bytes that no text has. Undefined for other texts, whose encoding must be detected.
 */
export function provenEncoding(bytes: Uint8Array): Encoding | 'binary' | undefined {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return isText(bytes, marked) ? marked : 'binary'
  if (bytes.includes(0)) return wideEncoding(bytes) ?? 'binary'
  return isText(bytes, 'utf-8') ? 'utf-8' : undefined
}

/** The encoding of the byte order mark with which the bytes begin. */
function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  return ENCODINGS.find((encoding) => {
    const { mark } = encodingFacts(encoding)
    return mark?.every((byte, index) => bytes[index] === byte)
  })
}

/** In UTF-16, digits, spaces and line ends have a zero byte, always on the same side. */
function wideEncoding(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, WIDE_SAMPLE)
  if (isNarrow(sample)) return undefined
  const zeros = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const encoding = odd > even * 4 ? 'utf-16le' : even > odd * 4 ? 'utf-16be' : undefined
  return encoding !== undefined && bytes.length % 2 === 0 && isText(bytes, encoding) ? encoding : undefined
}

/** A text in ASCII with a few zero bytes, such as a log after a crash, would be Chinese in UTF-16. */
function isNarrow(sample: Uint8Array): boolean {
  const zeros = sample.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  return zeros * 8 < sample.length && sample.every((byte) => byte === 0 || (byte >= TAB && byte < 0x80))
}

/** UTF-32, which nobody can save, has the mark of UTF-16 and NUL characters. */
function isText(bytes: Uint8Array, encoding: Encoding): boolean {
  return decodeUnicode(bytes, encoding, { exact: true })?.includes('\0') === false
}

/**
 * What tells encodings apart: the lines that have other bytes than ASCII, up to 16 KiB. Of a long English file with one foreign name,
 * that is the line with the name.
 */
export function encodingSample(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const sample = new Uint8Array(Math.min(bytes.length, ENCODING_SAMPLE))
  let length = 0
  for (let start = 0; start < bytes.length && length < sample.length;) {
    const room = sample.length - length
    const foreign = nextFrom(bytes, start, (byte) => byte >= 0x80)
    if (foreign === bytes.length) break
    // In a file with endless lines, what stands around the first such byte.
    const lineStart = previousEnd(bytes, foreign, Math.max(start, foreign - room / 2))
    const end = Math.min(nextFrom(bytes, foreign, isLineEnd) + 1, lineStart + room, bytes.length)
    sample.set(bytes.subarray(lineStart, end), length)
    length += end - lineStart
    start = end
  }
  return sample.subarray(0, length)
}

function nextFrom(bytes: Uint8Array, start: number, matches: (byte: number) => boolean): number {
  for (let at = start; at < bytes.length; at++) if (matches(bytes[at] ?? 0)) return at
  return bytes.length
}

/** Where the line begins that contains this position, but not before `first`. */
function previousEnd(bytes: Uint8Array, position: number, first: number): number {
  let at = position
  while (at > first && !isLineEnd(bytes[at - 1] ?? 0)) at--
  return at
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN
}

/** The supported character encodings. */
export const ENCODINGS = ['UTF-8', 'UTF-8 BOM', 'UTF-16 LE', 'UTF-16 BE', 'Windows-1252'] as const
type Encoding = (typeof ENCODINGS)[number]

/** The supported line endings. */
export const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const
export type LineEnd = keyof typeof LINE_ENDS

export function isLineEnd(value: unknown): value is LineEnd {
  return typeof value === 'string' && Object.hasOwn(LINE_ENDS, value)
}

export interface TextFormat {
  readonly encoding: Encoding
  readonly lineEnd: LineEnd
}

export interface DecodedText extends TextFormat {
  /** With "\n" line endings, whichever the file uses. */
  readonly text: string
  /** The file has several kinds of line endings; saving uses the most frequent one for all. */
  readonly mixedLineEnds: boolean
}

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['UTF-8 BOM', [0xef, 0xbb, 0xbf]],
  ['UTF-16 LE', [0xff, 0xfe]],
  ['UTF-16 BE', [0xfe, 0xff]],
]

const LABELS: Readonly<Record<Encoding, string>> = {
  'UTF-8': 'utf-8',
  'UTF-8 BOM': 'utf-8',
  'UTF-16 LE': 'utf-16le',
  'UTF-16 BE': 'utf-16be',
  'Windows-1252': 'windows-1252',
}

/** Decodes a file; undefined if it is binary: it has NUL bytes or invalid UTF-16. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked !== undefined) {
    const [encoding, mark] = marked
    const text = decode(bytes.subarray(mark.length), encoding)
    return text === undefined ? undefined : withLineEnds(text, encoding)
  }
  if (bytes.includes(0)) return undefined
  const text = decode(bytes, 'UTF-8')
  if (text !== undefined) return withLineEnds(text, 'UTF-8')
  return withLineEnds(decode(bytes, 'Windows-1252') ?? '', 'Windows-1252')
}

/** Encodes a text; undefined if the encoding lacks one of its characters. */
export function encodeText(text: string, { encoding, lineEnd }: TextFormat): Uint8Array<ArrayBuffer> | undefined {
  const whole = lineEnd === 'LF' ? text : text.replaceAll('\n', LINE_ENDS[lineEnd])
  if (encoding === 'Windows-1252') return encodeSingleBytes(whole)
  if (encoding === 'UTF-8') return new TextEncoder().encode(whole)
  if (encoding === 'UTF-8 BOM') return new TextEncoder().encode(`\ufeff${whole}`)
  return encodeUtf16(`\ufeff${whole}`, encoding === 'UTF-16 LE')
}

function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    // The byte order mark was removed before: a second one is part of the text.
    return new TextDecoder(LABELS[encoding], { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function withLineEnds(text: string, encoding: Encoding): DecodedText {
  const counts: Record<LineEnd, number> = { LF: 0, CRLF: 0, CR: 0 }
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) counts[end === '\n' ? 'LF' : end === '\r' ? 'CR' : 'CRLF']++
  const [most, next] = (['LF', 'CRLF', 'CR'] as const).toSorted((a, b) => counts[b] - counts[a])
  const lineEnd = most ?? 'LF'
  const mixedLineEnds = next !== undefined && counts[next] > 0
  const plain = counts.CRLF + counts.CR === 0 ? text : text.replaceAll(/\r\n|\r/g, '\n')
  return { text: plain, encoding, lineEnd, mixedLineEnds }
}

function encodeSingleBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  const signs = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const byteOf = new Map([...signs].map((sign, byte) => [sign, byte]))
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) {
    const byte = byteOf.get(text.charAt(index))
    if (byte === undefined) return undefined
    bytes[index] = byte
  }
  return bytes
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), littleEndian)
  return new Uint8Array(view.buffer)
}

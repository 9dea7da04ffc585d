import { type Encoding, encodingFacts } from './encodings.ts'

/** Whether the encoding holds every character and needs no table. */
export function isUnicode(encoding: Encoding): boolean {
  return encoding.startsWith('utf-')
}

/** The text without its byte order mark. Invalid sequences become U+FFFD, or give undefined if the text must be `exact`. */
export function decodeUnicode(
  bytes: Uint8Array,
  encoding: Encoding,
  { exact }: { exact: boolean },
): string | undefined {
  // The mark is removed here: a second one is part of the text.
  const decoder = new TextDecoder(encodingFacts(encoding).label, { fatal: exact, ignoreBOM: true })
  try {
    return decoder.decode(withoutMark(bytes, encoding))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** With the byte order mark of the encoding. */
export function encodeUnicode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const { label, mark = [] } = encodingFacts(encoding)
  const marked = (mark.length > 0 ? '\ufeff' : '') + text
  return label === 'utf-8' ? new TextEncoder().encode(marked) : encodeUtf16(marked, label === 'utf-16le')
}

function encodeUtf16(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), isLittleEndian)
  return new Uint8Array(view.buffer)
}

function withoutMark(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  const { mark } = encodingFacts(encoding)
  return mark?.every((byte, index) => bytes[index] === byte) === true ? bytes.subarray(mark.length) : bytes
}

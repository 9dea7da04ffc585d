import { MAX_TEXT_BYTES, type ResourceType } from '../resource-type.ts'
import { provenEncoding } from '../../text/proven-encoding.ts'
import { decodeUnicode } from '../../text/encodings.ts'
import { MEDIA_TYPES } from './media-type-table.ts'

/** How many bytes from the start of a file are examined to detect its type. */
export const SNIFFED_BYTES = 512

const utf8 = new TextDecoder()

/** The extension with its dot and its case: ".gz", ".", ".hidden" for a dotfile, or "". */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

/** The media type of the extension, without a charset; undefined if it is unknown. */
export function mediaTypeOf(name: string): string | undefined {
  const extension = extensionOf(name).slice(1)
  return MEDIA_TYPES.get(extension) ?? MEDIA_TYPES.get(extension.toLowerCase())
}

/**
 * How the page treats a file.
 *
 * @param mediaType of the extension or sniffed
 * @param hasTextBytes whether the start of the file looks like text; called only if the media type does not decide
 */
export function resourceTypeOf(
  mediaType: string,
  size: number,
  hasTextBytes: () => boolean,
  canModify = true,
): ResourceType {
  if (mediaType.startsWith('video')) return 'video'
  if (mediaType.startsWith('audio')) return 'audio'
  if (mediaType.startsWith('image')) return 'image'
  if (mediaType.endsWith('pdf')) return 'pdf'
  if (size > MAX_TEXT_BYTES || !(mediaType.startsWith('text') || hasTextBytes())) return 'blob'
  return canModify ? 'text' : 'textImmutable'
}

/** Media types that are text although they do not begin with "text/". */
const TEXTUAL = /json|xml|yaml|toml|sql|subrip|mpegurl|postscript/

/** The type by the name alone. Files of unknown type count as text. */
export function typeByName(name: string, size: number): ResourceType {
  const promised = mediaTypeOf(name)
  return resourceTypeOf(promised ?? '', size, () => promised === undefined || TEXTUAL.test(promised))
}

/**
 * True for bytes with a control character up to U+0008, and for those that are neither UTF-8 nor UTF-16 and have one that no text
 * contains. The end of the sample may cut a character.
 */
export function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SNIFFED_BYTES)
  // Fast path for ASCII: checking bytes is much faster than decoding them.
  if (sample.every(isPlainText)) return false
  if (isWide(sample)) return false
  return sample.some((byte) => byte <= 8) || (BINARY_BYTE.test(latin1(sample)) && !isNearlyUtf8(sample))
}

/** Whether it is a text in UTF-16. The end may cut a character of four bytes. */
function isWide(sample: Uint8Array): boolean {
  const even = sample.length - (sample.length % 2)
  return [even, even - 2].some((length) => {
    const start = sample.subarray(0, Math.max(0, length))
    const encoding = provenEncoding(start)
    if (encoding?.startsWith('utf-16') !== true || encoding === 'binary') return false
    return !NO_TEXT.test(decodeUnicode(start, encoding, { exact: false }) ?? '')
  })
}

/** Whether it has no error, except within the last four code points. */
function isNearlyUtf8(sample: Uint8Array): boolean {
  const text = [...utf8.decode(sample)]
  return text.slice(0, -4).every((character) => character !== '\ufffd')
}

function isPlainText(byte: number): boolean {
  return byte > 8 && byte < 0x80
}

/** The media type by the first bytes, in the order and with the names of the WHATWG MIME Sniffing Standard. */
export function sniff(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SNIFFED_BYTES)
  const text = latin1(sample)
  const markup = text.replace(/^[\t\n\f\r ]+/, '')
  if (HTML_START.test(markup)) return 'text/html'
  if (markup.startsWith('<?xml')) return 'text/xml'
  const known = SIGNATURES.find(([signature]) => signature.test(text))
  if (known) return known[1]
  if (isMp4(sample, text)) return 'video/mp4'
  return BINARY_BYTE.test(text) ? 'application/octet-stream' : 'text/plain'
}

const HTML_START = /^<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|BODY|BR|B|P|!--)[ >]/i

// eslint-disable-next-line no-control-regex -- matches bytes that no text contains
const BINARY_BYTE = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/** Control characters, and code points that mean nothing. */
const NO_TEXT = /(?![\t\n\f\r])[\p{Cc}\p{Co}\p{Cn}]/u

/* eslint-disable no-control-regex -- file signatures are bytes, not text */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/, 'text/plain'],
  [/^\x00\x00[\x01\x02]\x00/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^FORM.{4}AIFF/s, 'audio/aiff'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\x00/, 'application/ogg'],
  [/^MThd\x00\x00\x00\x06/, 'audio/midi'],
  [/^RIFF.{4}AVI /s, 'video/avi'],
  [/^RIFF.{4}WAVE/s, 'audio/wave'],
  [/^\x1a\x45\xdf\xa3/, 'video/webm'],
  [/^\x00\x01\x00\x00/, 'font/ttf'],
  [/^OTTO/, 'font/otf'],
  [/^ttcf/, 'font/collection'],
  [/^wOFF/, 'font/woff'],
  [/^wOF2/, 'font/woff2'],
  [/^\x1f\x8b\x08/, 'application/gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(?:\x00|\x01\x00)/, 'application/vnd.rar'],
  [/^\x00asm/, 'application/wasm'],
]
/* eslint-enable no-control-regex */

/** The first box is "ftyp", and its major brand or one of the compatible ones begins with "mp4". */
function isMp4(bytes: Uint8Array, text: string): boolean {
  if (bytes.length < 12 || text.slice(4, 8) !== 'ftyp') return false
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (size % 4 !== 0 || size > bytes.length) return false
  for (let brand = 8; brand + 3 <= size; brand += 4) {
    // Bytes 12 to 15 are a version, not a brand.
    if (brand !== 12 && text.startsWith('mp4', brand)) return true
  }
  return false
}

/** One character per byte, so that regular expressions can match bytes. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** Like File Browser, accepts any case and even names without a dot. */
const SUBTITLE = /(?:vtt|srt|ass|ssa)$/i
const SUBTITLE_FOLDER = /^(?:subs|subtitles)$/i

export function isSubtitle(name: string): boolean {
  return SUBTITLE.test(name)
}

/** A folder beside videos that contains their subtitles. */
export function isSubtitleFolder(name: string): boolean {
  return SUBTITLE_FOLDER.test(name)
}

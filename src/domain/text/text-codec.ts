import { createMultibyteDecoder, createMultibyteEncoder } from '@exodus/bytes/multi-byte.js'
import { createSinglebyteDecoder, createSinglebyteEncoder } from '@exodus/bytes/single-byte.js'
import { decodeCodePage, encodeCodePage, isCodePage } from './code-pages.ts'
import { type Encoding, encodingFacts, decodeUnicode, encodeUnicode, isUnicode } from './encodings.ts'

/**
 * Reads and writes text in all encodings, alike in browsers and in Node.js, whose own decoders differ: that of Node.js lacks half
 * of EUC-KR.
 */

const MULTIBYTE: ReadonlySet<Encoding> = new Set(['gbk', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'])

/** The text without its byte order mark; undefined if the bytes are invalid in this encoding. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string | undefined {
  if (isUnicode(encoding)) return decodeUnicode(bytes, encoding, { exact: true })
  if (isCodePage(encoding)) return decodeCodePage(bytes, encoding)
  // The standard reads GBK as GB 18030, but does not write it so.
  if (encoding === 'gbk' && hasFourByteCodes(bytes)) return undefined
  return unlessImpossible(() => decoderOf(encoding, false)(bytes))
}

/** As `decodeText`, but each invalid sequence becomes U+FFFD. */
export function decodeLoosely(bytes: Uint8Array, encoding: Encoding): string {
  if (isUnicode(encoding)) return decodeUnicode(bytes, encoding, { exact: false }) ?? ''
  if (isCodePage(encoding)) return decodeCodePage(bytes, encoding)
  return decoderOf(encoding, true)(bytes)
}

/**
 * The first of some encodings in which the bytes are valid, except for a few sequences, as in a file that was cut off, or else
 * Windows-1252, in which all bytes are.
 */
export function firstValid(encodings: readonly Encoding[], bytes: Uint8Array): Encoding {
  return encodings.find((encoding) => isNearlyValid(bytes, encoding)) ?? 'windows-1252'
}

function isNearlyValid(bytes: Uint8Array, encoding: Encoding): boolean {
  if (decodeText(bytes, encoding) !== undefined) return true
  return !(encoding === 'gbk' && hasFourByteCodes(bytes)) && isLittleDamaged(decodeLoosely(bytes, encoding))
}

/** Whether a text decoded loosely has few invalid sequences among its other characters, those of ASCII not counted. */
export function isLittleDamaged(text: string): boolean {
  let damaged = 0
  let foreign = 0
  // Faster than a match of all, which would also fill the memory.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0x80) foreign += 1
    if (code === 0xfffd) damaged += 1
  }
  return damaged * 6 <= foreign
}

/** With the byte order mark of the encoding; undefined if the encoding lacks one of the characters (see `missingCharacter`). */
export function encodeText(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> | undefined {
  if (isUnicode(encoding)) return encodeUnicode(text, encoding)
  if (isCodePage(encoding)) return encodeCodePage(text, encoding)
  return unlessImpossible(() => encoderOf(encoding)(text))
}

/** The first character that the encoding lacks, and its line, counted from 1. */
export function missingCharacter(text: string, encoding: Encoding): { character: string; line: number } | undefined {
  for (const [index, line] of text.split('\n').entries()) {
    if (encodeText(line, encoding) !== undefined) continue
    const character = [...line].find((each) => encodeText(each, encoding) === undefined)
    if (character !== undefined) return { character, line: index + 1 }
  }
  return undefined
}

function hasFourByteCodes(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x81) continue
    // The second byte tells how long the code is.
    const second = bytes[at + 1] ?? 0
    if (second >= 0x30 && second <= 0x39) return true
    at++
  }
  return false
}

function decoderOf(encoding: Encoding, isLoose: boolean): (bytes: Uint8Array) => string {
  const { label } = encodingFacts(encoding)
  return MULTIBYTE.has(encoding) ? createMultibyteDecoder(label, isLoose) : createSinglebyteDecoder(label, isLoose)
}

function encoderOf(encoding: Encoding): (text: string) => Uint8Array<ArrayBuffer> {
  const { label } = encodingFacts(encoding)
  return MULTIBYTE.has(encoding) ? createMultibyteEncoder(label) : createSinglebyteEncoder(label)
}

/** The package throws for what the encoding cannot hold. */
function unlessImpossible<Result>(convert: () => Result): Result | undefined {
  try {
    return convert()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

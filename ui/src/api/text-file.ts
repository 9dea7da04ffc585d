import { detectEncodings } from '../../../src/api/files/encodings.ts'
import { encodingSample, provenEncoding } from '../../../src/domain/text/proven-encoding.ts'
import {
  decodeUnicode,
  encodeUnicode,
  isUnicode,
  type Encoding,
  declaredEncoding,
} from '../../../src/domain/text/encodings.ts'
import type { Client } from './client.ts'

/** The text of a file, without its byte order mark. */
export interface FileText {
  readonly text: string
  readonly encoding: Encoding
  /** Writing the text in this encoding gives the bytes of the file. Otherwise some of them mean nothing in it. */
  readonly isExact: boolean
}

/**
 * Decodes a file. Undefined if it has bytes that no text has.
 *
 * @param chosen detected if it is undefined: by the bytes, else by the server, which has the statistics of languages
 * @throws ApiError
 */
export async function readText(client: Client, bytes: Uint8Array, chosen?: Encoding): Promise<FileText | undefined> {
  const encoding = chosen ?? (await encodingOf(client, bytes))
  return encoding === 'binary' ? undefined : await textIn(bytes, encoding)
}

/** Decodes an XML or HTML document, which may declare its encoding. @throws ApiError */
export async function readDocument(client: Client, bytes: Uint8Array): Promise<string> {
  const encoding = provenEncoding(bytes) ?? declaredEncoding(bytes)
  const found = encoding === 'binary' ? undefined : await readText(client, bytes, encoding)
  return found?.text ?? new TextDecoder().decode(bytes)
}

/** Decodes short texts that are in one encoding, which is detected from all of them together. @throws ApiError */
export async function readTexts(client: Client, texts: readonly Uint8Array[]): Promise<string[]> {
  const all = new Uint8Array(await new Blob(texts.flatMap((text) => [text.slice(), '\n'])).arrayBuffer())
  const encoding = (await readText(client, all))?.encoding ?? 'windows-1252'
  return await Promise.all(texts.map(async (text) => (await textIn(text, encoding)).text))
}

/** The bytes of a text; undefined if the encoding lacks one of its characters. */
export async function writeText(text: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return isUnicode(encoding) ? encodeUnicode(text, encoding) : (await codec()).encodeText(text, encoding)
}

/** The first character that the encoding lacks, and its line, counted from 1. */
export async function missingIn(text: string, encoding: Encoding) {
  return (await codec()).missingCharacter(text, encoding)
}

/** The encodings that a text is likely in, by its sample. @throws ApiError */
export async function likelyEncodings(client: Client, sample: Uint8Array): Promise<readonly Encoding[]> {
  const body = { sample: btoa(String.fromCharCode(...sample)) }
  return (await client.call(detectEncodings, { body })).encodings
}

async function encodingOf(client: Client, bytes: Uint8Array): Promise<Encoding | 'binary'> {
  const proven = provenEncoding(bytes)
  if (proven !== undefined) return proven
  const likely = await likelyEncodings(client, encodingSample(bytes))
  return (await codec()).firstValid(likely, bytes)
}

async function textIn(bytes: Uint8Array, encoding: Encoding): Promise<FileText> {
  const text = isUnicode(encoding)
    ? (decodeUnicode(bytes, encoding, { exact: false }) ?? '')
    : (await codec()).decodeLoosely(bytes, encoding)
  const written = await writeText(text, encoding)
  return { text, encoding, isExact: written !== undefined && isSame(written, bytes) }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

/** The tables of all encodings are larger than most screens. */
async function codec() {
  return await import('../../../src/domain/text/text-codec.ts')
}

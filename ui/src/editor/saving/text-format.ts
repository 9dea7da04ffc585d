import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { type FileText, missingIn, writeText } from '../../api/text-file.ts'
import { lazyPrompt, type usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { joinLineEnds, type LineEnds, splitLineEnds } from './line-ends.ts'

const MissingQuestion = lazyPrompt(async () => (await import('../prompts/missing-prompt.tsx')).MissingPrompt)

export interface TextFormat {
  readonly encoding: Encoding
  readonly lineEnd: LineEnds
}

/** The content of a file as it is on the server. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** With the line endings of the file. */
  readonly source: string
}

export interface DecodedText extends TextFormat, FileContent, Pick<FileText, 'isExact'> {
  /** With "\n" line endings, whichever the file uses. */
  readonly text: string
}

export function decodedText(
  bytes: Uint8Array<ArrayBuffer>,
  { text: source, encoding, isExact }: FileText,
): DecodedText {
  return { ...splitLineEnds(source), encoding, bytes, source, isExact }
}

/** What a text becomes as a file. */
export interface EncodedText extends FileContent {
  readonly format: TextFormat
}

interface EncodingQuestion {
  readonly name: string
  readonly text: string
  readonly format: TextFormat
  /** Of the file as it is, for mixed line endings. */
  readonly source: string
}

/** Encodes a text. If the encoding lacks a character, asks for another one; undefined if the person wants none. */
export async function encodeOrAsk(
  ask: ReturnType<typeof usePrompt>,
  { name, text, format, source: old }: EncodingQuestion,
): Promise<EncodedText | undefined> {
  const source = joinLineEnds(text, format.lineEnd, old)
  const bytes = await writeText(source, format.encoding)
  if (bytes !== undefined) return { bytes, source, format }
  const missing = await missingIn(text, format.encoding)
  if (missing === undefined) return undefined
  const encoding = await ask(MissingQuestion, { name, encoding: format.encoding, ...missing })
  return encoding && (await encodeOrAsk(ask, { name, text, format: { ...format, encoding }, source: old }))
}

import { fail } from '../../domain/errors.ts'
import { LONGEST_TEXT } from '../../domain/resource-type.ts'
import type { OpenFile } from '../../storage/storage.ts'

/** The whole of a text file as UTF-8; what is not UTF-8 becomes U+FFFD. @throws TOO_LARGE beyond LONGEST_TEXT */
export async function textOf(file: OpenFile): Promise<string> {
  // A byte order mark is part of the file: an editor that saves the text must write it back.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytesOf(file, LONGEST_TEXT))
}

/** The whole of a file, which another program may have made longer since it was looked at. @throws TOO_LARGE */
export async function bytesOf(file: OpenFile, longest: number): Promise<Uint8Array> {
  if (file.size > longest) fail('TOO_LARGE', 'the file is too large to be read at once')
  const small = await file.small()
  if (small !== undefined) return small
  const parts: Uint8Array[] = []
  for await (const part of file.stream(0, file.size - 1)) parts.push(part as Uint8Array)
  return Buffer.concat(parts)
}

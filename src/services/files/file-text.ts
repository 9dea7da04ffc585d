import type { OpenFile } from '../../storage/storage.ts'

/** The whole of a text file as UTF-8; what is not UTF-8 becomes U+FFFD. For files of at most LONGEST_TEXT bytes. */
export async function textOf(file: OpenFile): Promise<string> {
  const small = file.small()
  if (small !== undefined) return decode([small])
  const parts: Uint8Array[] = []
  for await (const part of file.stream(0, file.size - 1)) parts.push(part as Uint8Array)
  return decode(parts)
}

function decode(parts: readonly Uint8Array[]): string {
  // A byte order mark is part of the file: an editor that saves the text must write it back.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
}

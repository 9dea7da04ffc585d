import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Resource } from '../../domain/files/resource.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ReadOptions, TextReader } from '../../platform/text/text-reader.ts'
import type { OpenFile } from '../../storage/open-file.ts'
import type { FileAccess } from '../access/file-access.ts'
import { MAX_TEXT_BYTES } from '../../domain/files/resource-type.ts'

/** Undefined for a folder. @throws as `Scope.open` */
export async function openFile(files: FileAccess, path: VirtualPath): Promise<OpenFile | undefined> {
  try {
    return await files.scope.open(path)
  } catch (error) {
    // Nearly all requests are for files, so check for a folder only after an error.
    if (!isFilemgrError(error)) throw error
    const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
    if (isDir) return undefined
    throw error
  }
}

/** The content of a text file, and its encoding unless it is UTF-8. @throws TOO_LARGE above MAX_TEXT_BYTES, BUSY, CANCELLED */
export async function textOf(
  file: OpenFile,
  texts: TextReader,
  options: ReadOptions,
): Promise<Pick<Resource, 'content' | 'encoding'>> {
  const { text, encoding } = await texts.read(await bytesOf(file, MAX_TEXT_BYTES), undefined, options)
  if (text === '') return {}
  if (encoding === 'utf-8') return { content: text }
  // With its byte order mark, so that an editor that knows only UTF-8 writes it back.
  return encoding === 'utf-8-bom' ? { content: `\ufeff${text}` } : { content: text, encoding }
}

/** The content of a file, up to the size that it had when it was opened. @throws TOO_LARGE */
export async function bytesOf(file: OpenFile, maxBytes: number): Promise<Uint8Array> {
  if (file.size > maxBytes) fail('TOO_LARGE', 'the file is too large to be read at once')
  const small = await file.small()
  if (small !== undefined) return small
  const parts: Uint8Array[] = []
  for await (const part of file.stream(0, file.size - 1)) parts.push(part as Uint8Array)
  return Buffer.concat(parts)
}

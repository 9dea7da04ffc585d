import type { Resource } from '../../../../src/domain/files/resource.ts'
import { MAX_TEXT_BYTES } from '../../../../src/domain/files/resource-type.ts'
import type { Client } from '../../api/client.ts'
import { fetchFile } from './file-source.ts'

/** The file with its text, as the server describes the user's own files. Of a larger or other file nothing is read. @throws ApiError */
export async function withContent(client: Client, url: string, file: Resource, signal: AbortSignal): Promise<Resource> {
  if (!file.type.startsWith('text') || file.size > MAX_TEXT_BYTES) return file
  const bytes = new Uint8Array(await (await fetchFile(client, url, signal)).arrayBuffer())
  // Loaded on demand: most visitors open no text.
  const { readText } = await import('../../api/text-file.ts')
  const found = await readText(client, bytes)
  return { ...file, content: found?.text ?? new TextDecoder().decode(bytes) }
}

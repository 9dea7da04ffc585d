import { runSearch } from '../../../src/api/files/search.ts'
import { ApiError, noConnection } from './api-error.ts'
import type { Client } from './client.ts'

/** Lines of the search response while it streams. @throws ApiError */
export async function* searchLines(
  client: Client,
  folder: string,
  query: { readonly query: string; readonly details?: 'true' },
  signal: AbortSignal,
): AsyncGenerator<string[], void, void> {
  const sent = client.authHeaders()
  const url = client.url(runSearch, { params: { '*': folder }, query })
  const response = await fetch(url, { headers: { Accept: 'application/json', ...sent }, signal }).catch(noConnection)
  client.handleAuthHeaders({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
  if (!response.ok) throw await ApiError.from(response)
  if (response.body !== null) yield* readLines(response.body)
}

/** Splits a stream into lines, without line ends. A last line without a line end counts if it is not empty. */
export async function* readLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string[], void, void> {
  const reader = bytes.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
    if (rest !== '') yield [rest]
  } finally {
    await reader.cancel()
  }
}

import { runSearch } from '../../../src/api/files/search.ts'
import { ApiError, noConnection } from './api-error.ts'
import { type Client, useClient } from './client.ts'
import { useEffect, useState } from 'react'
import { PLACES_AWAY, type SearchHit } from '../../../src/domain/files/search-query.ts'

/**
 * Lines of the search response while it streams.
 *
 * @param onAway called before the first line with the names of places that are left out
 * @throws ApiError
 */
export async function* searchLines(
  client: Client,
  folder: string,
  query: { readonly query: string; readonly details?: 'true' },
  signal: AbortSignal,
  onAway?: (names: readonly string[]) => void,
): AsyncGenerator<string[], void, void> {
  const sent = client.authHeaders()
  const url = client.url(runSearch, { params: { '*': folder }, query })
  const response = await fetch(url, { headers: { Accept: 'application/json', ...sent }, signal }).catch(noConnection)
  client.handleAuthHeaders({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
  if (!response.ok) throw await ApiError.from(response)
  const away = response.headers.get(PLACES_AWAY)
  if (away !== null) onAway?.(away.split(',').map(decodeURIComponent))
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

const MIN_QUERY_LENGTH = 2
const PAUSE = 150
/** Number of folders to suggest at most. */
const MAX_FOLDERS = 60

/** Folders that the server finds for a text, such as "/a/b/". Empty below two letters. */
export function useFoundFolders(text: string): readonly string[] {
  const client = useClient()
  const [found, setFound] = useState<readonly string[]>([])
  useEffect(() => {
    const stopping = new AbortController()
    const timer = setTimeout(() => {
      if (text.length < MIN_QUERY_LENGTH) setFound([])
      // The caller has other suggestions.
      else void collect(searchLines(client, '/', { query: text }, stopping.signal)).then(setFound, () => undefined)
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [client, text])
  return found
}

/** The first folders among the hits. Leaving the loop ends the search. */
async function collect(lines: AsyncIterable<readonly string[]>): Promise<string[]> {
  const folders: string[] = []
  for await (const batch of lines) {
    for (const line of batch) {
      const hit = line === '' ? undefined : (JSON.parse(line) as SearchHit)
      if (hit?.dir) folders.push(`/${hit.path}/`)
    }
    if (folders.length >= MAX_FOLDERS) break
  }
  return folders
}

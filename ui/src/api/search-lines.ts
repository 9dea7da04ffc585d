import { runSearch } from '../../../src/api/search.ts'
import { ApiError, noConnection } from './api-error.ts'
import type { Client } from './client.ts'
import { readLines } from './read-lines.ts'

/** The lines of the server's answer while they come. @throws ApiError */
export async function* searchLines(
  client: Client,
  folder: string,
  query: { readonly query: string; readonly details?: 'true' },
  signal: AbortSignal,
): AsyncGenerator<string[], void, void> {
  const sent = client.authHeaders()
  const url = client.url(runSearch, { params: { '*': folder }, query })
  const response = await fetch(url, { headers: { Accept: 'application/json', ...sent }, signal }).catch(noConnection)
  client.heed({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
  if (!response.ok) throw await ApiError.from(response)
  if (response.body !== null) yield* readLines(response.body)
}

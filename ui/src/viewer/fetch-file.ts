import { ApiError, noConnection } from '../api/api-error.ts'
import type { Client } from '../api/client.ts'

/** A file as it lies on the server. @throws ApiError; the reason of the signal */
export async function fetchFile(client: Client, url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { headers: client.authHeaders(), signal }).catch(noConnection)
  if (!response.ok) throw await ApiError.from(response)
  return response
}

import type { Client } from './client.ts'

/** Fetches the first bytes of a file, fewer if it is shorter; empty when the server refuses. */
export async function fetchHead(
  client: Client,
  url: string,
  length: number,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const headers = { ...client.authHeaders(), Range: `bytes=0-${Math.max(0, length - 1)}` }
  const response = await fetch(url, { headers, signal })
  return response.ok ? await response.arrayBuffer() : new ArrayBuffer(0)
}

import type { Readable } from 'node:stream'
import { BodyBatches } from '../../platform/network/body-batches.ts'

/**
 * Reads the body of a part for a finished upload. A reply that is sent before may be lost: HttpURLConnection of Java drops what
 * arrives together with "100 Continue".
 *
 * @throws TOO_LARGE if there are bytes, CANCELLED
 */
export async function requireNoMore(body: Readable, signal: AbortSignal): Promise<void> {
  using batches = new BodyBatches(body, { length: 0, signal })
  await batches.next()
}

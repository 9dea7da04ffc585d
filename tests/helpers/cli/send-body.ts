import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'

/**
 * Sends a body in pieces, as fast as the server accepts it, until there is a reply: a refusal may come before the last byte
 * was sent. Without a Content-Length header, the server does not know the size.
 *
 * @returns undefined if the connection broke
 */
export async function sendBody(
  address: URL,
  { method, headers }: { readonly method: string; readonly headers: Readonly<Record<string, string>> },
  pieces: Iterable<Buffer>,
): Promise<IncomingMessage | undefined> {
  const sent = request(address, { method, headers })
  // The connection may break at any time; the promises report it.
  sent.on('error', () => undefined)
  const answered = once(sent, 'response').then(
    ([answer]) => answer as IncomingMessage,
    () => undefined,
  )
  const early = answered.then(() => 'answered' as const)
  let isWhole = true
  for (const piece of pieces) {
    if (sent.write(piece)) continue
    isWhole = (await Promise.race([early, drained(sent)])) !== 'answered'
    if (!isWhole) break
  }
  if (isWhole) sent.end()
  const answer = await answered
  answer?.resume()
  if (!isWhole) sent.destroy()
  return answer
}

async function drained(sent: ClientRequest): Promise<void> {
  const done = new AbortController()
  const either = [once(sent, 'drain', done), once(sent, 'close', done)]
  await Promise.race(either).catch(() => undefined)
  done.abort()
  await Promise.allSettled(either)
}

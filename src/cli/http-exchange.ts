import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fail, isFilemgrError } from '../domain/errors.ts'

/** A request that `exchange` sends. Not `fetch`, which knows no file names as bytes and refuses a password in an address. */
export async function requestTo(url: URL, options: RequestOptions): Promise<ClientRequest> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return request(url, options)
}

/** Milliseconds without a byte before a server is asked whether it is still there. */
const SILENCE = 10_000

/**
 * Fails a request, also while its reply is read, once the server answers nothing at all any more. Long work is waited for.
 *
 * @param ask resolves if the server is still there
 */
export function failWhenSilent(sent: ClientRequest, ask: () => Promise<void>): void {
  sent.setTimeout(SILENCE)
  sent.on('timeout', () => {
    ask().then(
      () => sent.setTimeout(SILENCE),
      (error: unknown) => sent.destroy(error as Error),
    )
  })
}

/** @throws UNAVAILABLE if the server at this address does not answer */
async function requireServer(base: URL): Promise<void> {
  const url = new URL('health/live', base)
  const asked = await requestTo(url, { agent: false, signal: AbortSignal.timeout(SILENCE) })
  const answered = await new Promise<boolean>((resolve) => {
    asked
      .once('response', () => resolve(true))
      .once('error', () => resolve(false))
      .end()
  })
  asked.destroy()
  if (!answered) fail('UNAVAILABLE', `${base.origin} does not answer: it hangs, or the network is interrupted`)
}

/**
 * The reply, even if the server refuses the body before it is sent.
 *
 * @param base the address of the server
 * @throws UNAVAILABLE
 */
export async function exchange(sent: ClientRequest, base: URL, body?: Readable): Promise<IncomingMessage> {
  failWhenSilent(sent, async () => await requireServer(base))
  const reply = new Promise<IncomingMessage>((answered, failed) => {
    sent.once('response', answered)
    sent.once('error', failed)
  })
  const sending = async () => {
    if (body === undefined) sent.end()
    else await pipeline(body, sent)
    return await reply
  }
  return await Promise.race([reply, sending()]).catch((error: unknown) => {
    if (isFilemgrError(error)) throw error
    const { code, message } = error as NodeJS.ErrnoException
    return fail(
      'UNAVAILABLE',
      `${sent.protocol}//${String(sent.getHeader('host'))} cannot be reached: ${code ?? message}`,
      {},
      { cause: error },
    )
  })
}

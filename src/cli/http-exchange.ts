import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fail } from '../domain/errors.ts'

/** A request that `exchange` sends. Not `fetch`, which knows no file names as bytes and refuses a password in an address. */
export async function requestTo(url: URL, options: RequestOptions): Promise<ClientRequest> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return request(url, options)
}

/** The reply, even if the server refuses the body before it is sent. @throws UNAVAILABLE */
export async function exchange(sent: ClientRequest, body?: Readable): Promise<IncomingMessage> {
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
    const { code, message } = error as NodeJS.ErrnoException
    return fail(
      'UNAVAILABLE',
      `${sent.protocol}//${String(sent.getHeader('host'))} cannot be reached: ${code ?? message}`,
      {},
      { cause: error },
    )
  })
}

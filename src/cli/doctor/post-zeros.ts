import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { Readable } from 'node:stream'

const PATIENCE = 30_000
const PART = 64 * 1024

/**
 * Posts so many bytes and tells the status; `cut` when the connection ends while they are sent, undefined when nothing
 * comes back at all. Asks first whether they are wanted, so that most refusals are heard before the connection is cut.
 */
export async function postZeros(address: string, size: number): Promise<number | 'cut' | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | 'cut' | undefined>()
  const send = address.startsWith('https:') ? requestTls : requestPlain
  const request = send(address, {
    method: 'POST',
    headers: { 'content-length': size, expect: '100-continue' },
    signal: AbortSignal.timeout(PATIENCE),
  })
  let isSending = false
  request.on('continue', () => {
    isSending = true
    Readable.from(zeros(size)).pipe(request)
  })
  request.on('response', ({ statusCode }) => {
    resolve(statusCode)
    request.destroy()
  })
  request.on('error', () => resolve(isSending ? 'cut' : undefined))
  request.flushHeaders()
  return await promise
}

function* zeros(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= PART) yield Buffer.alloc(Math.min(left, PART))
}

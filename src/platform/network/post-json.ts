import { lookup } from 'node:dns'
import type { RequestOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface JsonPost {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds in total, from the DNS lookup to the status of the response. */
  readonly timeout: number
  /** True for a host that may have a private address. */
  readonly isPrivateAllowed: boolean
  readonly signal?: AbortSignal | undefined
}

export type PostResult =
  | { readonly kind: 'answered'; readonly status: number }
  /** `detail` is an error code, such as ECONNREFUSED. */
  | { readonly kind: 'timeout' | 'unreachable' | 'cancelled'; readonly detail: string }
  /** The address is private. */
  | { readonly kind: 'private'; readonly detail: string }

/** Responses are read up to this size and discarded: closing earlier would look like a broken connection to the receiver. */
const MAX_RESPONSE_SIZE = 64 * 1024

/**
 * Posts JSON and returns the status; never rejects. The attacks are requests to services behind the firewall (SSRF): the
 * address is checked when the connection is made, so neither a name that resolves to a private address, nor one that changes
 * after a check (DNS rebinding), nor a spelling such as http://2130706433/ gets through. Redirects are not followed, because
 * they could lead anywhere. Proxy variables of the environment are not used.
 */
export async function postJson({
  url,
  headers,
  body,
  timeout,
  isPrivateAllowed,
  signal,
}: JsonPost): Promise<PostResult> {
  // An IP address in the URL is never looked up, so it is checked here. `URL` has normalized it.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isPrivateAllowed && isIP(host) !== 0 && !isPublicAddress(host)) return { kind: 'private', detail: host }
  const limit = AbortSignal.timeout(timeout)
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([limit, ...(signal === undefined ? [] : [signal])]),
    agent: false,
    ...(!isPrivateAllowed && { lookup: lookupPublic }),
  }
  try {
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(url, options)
      sent.on('error', reject)
      sent.once('response', (response) => {
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > MAX_RESPONSE_SIZE) response.destroy()
        })
        resolve(response.statusCode ?? 0)
      })
      sent.end(body)
    })
    return { kind: 'answered', status }
  } catch (error) {
    if (error instanceof PrivateAddress) return { kind: 'private', detail: error.message }
    if (signal?.aborted === true) return { kind: 'cancelled', detail: '' }
    return limit.aborted ? { kind: 'timeout', detail: '' } : { kind: 'unreachable', detail: codeOf(error) }
  }
}

class PrivateAddress extends Error {}

/** Refuses a name as soon as one of its addresses is private. */
const lookupPublic: LookupFunction = (name, options, callback) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    if (error !== null) {
      callback(error, '')
      return
    }
    const blocked = found.find(({ address }) => !isPublicAddress(address))
    if (blocked !== undefined) callback(new PrivateAddress(blocked.address), '')
    else if (options.all === true) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  })
}

/** An AggregateError has one error for each address that was tried. */
function codeOf(error: unknown): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] }
  const [first] = errors ?? []
  return code ?? (first === undefined ? 'unknown error' : codeOf(first))
}

import type { RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, lookupPublic, PrivateAddress } from './post-json.ts'

/** Milliseconds for one request, from the lookup of the host to the last byte. */
const TIMEOUT = 8000
/** Bytes. A discovery document with all its lists has ten kilobytes; keys and claims have less. */
const MAX_SIZE = 512 * 1024

export type EgressProblem = 'timeout' | 'unreachable' | 'private' | 'tooLarge'

/** Why there is no response. The message is an error code such as ECONNREFUSED, or the private address. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly problem: EgressProblem
  readonly host: string

  constructor(problem: EgressProblem, host: string, detail: string) {
    super(detail)
    this.problem = problem
    this.host = host
  }
}

export interface EgressRequest {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** @throws EgressError */
export type EgressFetch = (url: string, request?: EgressRequest) => Promise<Response>

/**
 * Requests to addresses that administrators have entered, or that such a server named. The attacks are the same as with webhooks
 * (SSRF): the address is checked when the connection is made, and redirects are not followed. A server that answers slowly or
 * without end is cut off.
 *
 * @param isPrivateAllowed whether the operator has named this host, which may have a private address
 */
export function createEgressFetch(isPrivateAllowed: (url: URL) => boolean): EgressFetch {
  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = new URL(address)
    const mayBePrivate = isPrivateAllowed(url)
    const name = url.hostname.replace(/^\[|\]$/g, '')
    if (!mayBePrivate && isIP(name) !== 0 && !isPublicAddress(name)) throw new EgressError('private', url.host, name)
    const limit = AbortSignal.timeout(TIMEOUT)
    const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      signal: AbortSignal.any([limit, ...(signal === undefined ? [] : [signal])]),
      agent: false,
      ...(!mayBePrivate && { lookup: lookupPublic }),
    }
    try {
      return await new Promise<Response>((resolve, reject) => {
        const sent = request(url, options)
        sent.once('error', reject)
        sent.once('response', (response) => {
          const { statusCode = 0, headers: answered } = response
          const fields = Object.entries(answered).flatMap(([key, value]): [string, string][] =>
            value === undefined ? [] : [[key, [value].flat().join(', ')]],
          )
          const init = { status: statusCode >= 200 && statusCode <= 599 ? statusCode : 502, headers: fields }
          collect(response).then(
            (bytes) => resolve(new Response([204, 205, 304].includes(init.status) ? null : bytes, init)),
            reject,
          )
        })
        sent.end(body)
      })
    } catch (error) {
      if (error instanceof PrivateAddress) throw new EgressError('private', url.host, error.message)
      if (error instanceof EgressError) throw error
      throw new EgressError(limit.aborted ? 'timeout' : 'unreachable', url.host, codeOf(error))
    }
  }

  async function collect(response: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response) {
      size += part.length
      if (size > MAX_SIZE) throw new EgressError('tooLarge', '', `more than ${MAX_SIZE} bytes`)
      parts.push(part)
    }
    return new Uint8Array(Buffer.concat(parts))
  }
}

/** An AggregateError has one error for each address that was tried. */
function codeOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: readonly unknown[] }
  const [first] = errors ?? []
  return first === undefined ? (code ?? message) : codeOf(first)
}

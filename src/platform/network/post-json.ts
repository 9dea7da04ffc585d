import { lookup } from 'node:dns'
import type { RequestOptions } from 'node:https'
import { isIP, type LookupFunction, BlockList } from 'node:net'

/** Not on the internet: this machine, private and shared networks, link-local (with the metadata of clouds), multicast. */
const PRIVATE_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]
/** In 2000::/3: Teredo and other protocols, documentation, and 6to4, which contains any IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16']

/** All other IPv6 addresses are private, special, or contain an IPv4 address, as ::ffff:127.0.0.1 and 64:ff9b::7f00:1 do. */
const INTERNET_IPV6 = ['2000::/3']

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

/** The address of a host is private. Its message is the address. */
export class PrivateAddress extends Error {}

/** Refuses a name as soon as one of its addresses is private. */
export const lookupPublic: LookupFunction = (name, options, callback) => {
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

/** @param address an IP address, without brackets; false for anything else */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 0) return false
  // Built for each call: checks are rare, and building the lists at each start of filemgr would cost milliseconds.
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (version === 6 && !listOf(INTERNET_IPV6).check(address, family)) return false
  return !listOf([...PRIVATE_IPV4, ...SPECIAL_IPV6]).check(address, family)
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

import type { Settings } from '../../domain/settings.ts'
import type { AddressList } from '../../platform/address-list.ts'
import type { Peer } from './peer.ts'

/**
 * The user that a proxy in front has signed in; undefined when nobody trustworthy says so. The header of any other peer is
 * worth nothing: whoever reaches the port past the proxy could be anybody (CVE-2026-54089).
 */
export function proxiedName(peer: Peer, { auth }: Readonly<Settings>, proxies: AddressList): string | undefined {
  if (auth.header === '' || !proxies.has(peer.address)) return undefined
  const [value, ...others] = peer.header(auth.header)
  if (value === undefined || others.length > 0) return undefined
  const name = decoded(value).trim()
  return name === '' ? undefined : name
}

/** Headers arrive as Latin-1, while proxies send names as UTF-8. */
function decoded(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

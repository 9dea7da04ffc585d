import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ServerOptions } from '../domain/server-options.ts'

/**
 * Where people reach the daemon, the nearest first. An address that means "all" becomes those that this machine has.
 *
 * @param port the port that it got, which is not the wanted one when that was 0
 */
export function reachableUrls(options: Pick<ServerOptions, 'address' | 'baseURL' | 'cert'>, port: number): string[] {
  const scheme = options.cert === '' ? 'http' : 'https'
  return hostsOf(options.address).map((host) => {
    const shown = isIPv6(host) ? `[${host}]` : host
    return `${scheme}://${shown}:${port}${options.baseURL.replace(/\/+$/, '')}/`
  })
}

function hostsOf(address: string): string[] {
  if (address !== '0.0.0.0' && address !== '::') return [address === '' ? '127.0.0.1' : address]
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  // Link-local addresses need the name of an interface, which browsers do not take.
  const usable = found.filter(
    ({ family, address: own }) => (family === 'IPv4' || address === '::') && !own.startsWith('fe80'),
  )
  return usable.sort((one, other) => Number(other.internal) - Number(one.internal)).map(({ address: own }) => own)
}

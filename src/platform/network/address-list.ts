import { BlockList, isIP, isIPv4 } from 'node:net'
import { fail } from '../../domain/errors.ts'

/** Names for ranges, as in the proxy-addr package. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
const UNIX = 'unix'
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * A list of IP addresses and ranges.
 *
 * @param entries addresses, ranges such as 10.0.0.0/8, the names of RANGES, and "unix" for clients of the Unix socket
 * @throws INVALID_INPUT naming the invalid entry
 */
export function createAddressList(entries: readonly string[]) {
  const list = new BlockList()
  for (const entry of entries) {
    if (entry === UNIX) continue
    for (const range of RANGES[entry] ?? [entry]) add(list, range)
  }
  return {
    isEmpty: entries.length === 0,
    /** @param address undefined for clients of a Unix socket */
    has(address: string | undefined): boolean {
      if (address === undefined || address === '') return entries.includes(UNIX)
      const plain = MAPPED.exec(address)?.[1] ?? address.split('%', 1)[0] ?? ''
      const version = isIP(plain)
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

export type AddressList = ReturnType<typeof createAddressList>

function add(list: BlockList, range: string): void {
  const [address = '', prefix, ...rest] = range.split('/')
  const version = isIP(address)
  const bits = prefix === undefined ? undefined : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN
  const isValid = version !== 0 && rest.length === 0 && (bits === undefined || bits <= (version === 4 ? 32 : 128))
  if (!isValid) {
    const message = `--trusted-proxies: "${range}" is neither an address nor a range such as 10.0.0.0/8`
    fail('INVALID_INPUT', message, { field: 'trustedProxies' })
  }
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, bits, family)
}

/** True for an address that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

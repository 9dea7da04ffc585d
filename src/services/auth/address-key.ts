import { isIPv4, isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** With a port, as some proxies write it: a client must not get free tries from each of its ports. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 one, which a single household owns. All that is no
 * address counts as one.
 */
export function addressKey(address: string): string {
  const [, inBrackets, before] = WITH_PORT.exec(address) ?? []
  const plain = (inBrackets ?? before ?? address).split('%', 1)[0] ?? ''
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return ''
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::', 2)
  const split = (part: string) => (part === '' ? [] : part.split(':'))
  const [before, after] = [split(head), split(tail ?? '')]
  // An IPv4 address at the end takes the place of two groups.
  const taken = before.length + after.length + (address.includes('.') ? 1 : 0)
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - taken }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}

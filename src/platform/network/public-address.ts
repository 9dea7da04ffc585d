import { BlockList, isIP } from 'node:net'

/** Not on the internet: this machine, private and shared networks, link-local (with the metadata of clouds), multicast. */
const PRIVATE_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
]
/** In 2000::/3: Teredo and other protocols, documentation, and 6to4, which contains any IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16']

/** All other IPv6 addresses are private, special, or contain an IPv4 address, as ::ffff:127.0.0.1 and 64:ff9b::7f00:1 do. */
const INTERNET_IPV6 = ['2000::/3']

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

import { isIP } from 'node:net'
import { advice, fault, type Check, type Finding, type Scene } from '../check.ts'

/** Fewer bits than these are not the proxies of one house. */
const NARROWEST = { 4: 8, 6: 16 }

/** Whoever may say from where a request comes is not slowed down when guessing passwords, and writes the log himself. */
export const proxyHeadersCheck: Check = {
  name: 'proxy-headers',
  title: 'Whose word about the address of a client is taken',
  run({ options: { trustedProxies, address }, isPublic }: Scene) {
    const wide = trustedProxies.filter(isAlmostEverybody)
    if (wide.length > 0) return wide.map(tooWide)
    if (!isPublic || trustedProxies.length > 0 || !['127.0.0.1', '::1', 'localhost'].includes(address)) return []
    const problem =
      'behind a proxy every client has the address of the proxy, and one who guesses passwords slows all down'
    return [advice(problem, 'filemgr server set trustedProxies=ADDRESS-OF-THE-PROXY')]
  },
}

function isAlmostEverybody(range: string): boolean {
  const [address = '', bits] = range.split('/')
  const family = isIP(address)
  return (family === 4 || family === 6) && bits !== undefined && Number(bits) < NARROWEST[family]
}

function tooWide(range: string): Finding {
  const problem = `X-Forwarded-For is believed of ${range}, which is almost everybody`
  return fault(problem, 'name the addresses of the proxies only: filemgr server set trustedProxies=10.0.0.2')
}

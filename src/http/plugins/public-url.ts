import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { createAddressList } from '../../platform/network/address-list.ts'
import { baseOf } from '../protocol/request-path.ts'

const HOST = /^[a-z0-9._-]+(:\d{1,5})?$/i

/**
 * Learns from a trusted proxy under which address people reach us, where no option says so. Only a request of an administrator
 * counts: anyone could send another host name through the proxy, and have links lead to a site of their own.
 *
 * @param learned called with each new address, which has a slash at its end
 */
export function publicUrl(app: FastifyInstance, { options }: Context, learned: (url: string) => void): void {
  const proxies = createAddressList(options.trustedProxies)
  if (proxies.isEmpty || options.publicUrl !== '') return
  let last: string | undefined

  app.addHook('onRequest', async ({ actor, headers, host, protocol, raw }) => {
    if (actor?.kind !== 'user' || !actor.user.perm.admin) return
    const isTold = headers['x-forwarded-proto'] !== undefined || headers['x-forwarded-host'] !== undefined
    if (!isTold || !proxies.has(raw.socket.remoteAddress ?? '')) return
    if (!HOST.test(host) || !['http', 'https'].includes(protocol)) return
    const url = `${protocol}://${host}${baseOf(options)}/`
    if (url === last) return
    last = url
    learned(url)
  })
}

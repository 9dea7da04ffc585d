import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { createAddressList } from '../../platform/network/address-list.ts'
import { siteUrl } from '../protocol/site.ts'

const HOST = /^[a-z0-9._-]+(:\d{1,5})?$/i

/**
 * Learns the public address from a trusted proxy if no option sets it. Only requests of administrators count, and none with an
 * API token: anyone else, or a program, could send a forged host name through a proxy that passes it on, and make links lead to
 * their own site. A browser lets no site set these headers.
 *
 * @param learned called with each new address, which has a trailing slash
 */
export function publicUrl(app: FastifyInstance, { options }: Context, learned: (url: string) => void): void {
  const proxies = createAddressList(options.trustedProxies)
  if (proxies.isEmpty || options.publicUrl !== '') return
  let last: string | undefined

  app.addHook('onRequest', async (request) => {
    const { actor, headers, host, protocol, raw } = request
    if (actor?.kind !== 'user' || actor.token !== undefined || !actor.user().perm.admin) return
    const isForwarded = headers['x-forwarded-proto'] !== undefined || headers['x-forwarded-host'] !== undefined
    if (!isForwarded || !proxies.has(raw.socket.remoteAddress ?? '')) return
    if (!HOST.test(host) || !['http', 'https'].includes(protocol)) return
    const url = `${siteUrl(request, options)}/`
    if (url === last) return
    last = url
    learned(url)
  })
}

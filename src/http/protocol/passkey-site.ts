import type { FastifyRequest } from 'fastify'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { PasskeySite } from '../../platform/security/passkeys.ts'

/**
 * The site that browsers know passkeys by: that of the public address; otherwise that of the request, in which only trusted proxies
 * are believed. A client that invents one only finds no passkey that signs for it.
 */
export function createSiteOf({ publicUrl }: Pick<ServerOptions, 'publicUrl'>) {
  const configured = URL.canParse(publicUrl) ? siteAt(new URL(publicUrl)) : undefined
  return ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): PasskeySite => {
    if (configured !== undefined) return configured
    const address = `${protocol}://${host}`
    return URL.canParse(address) ? siteAt(new URL(address)) : { origin: '', host: '' }
  }
}

function siteAt({ origin, hostname }: URL): PasskeySite {
  return { origin, host: hostname }
}

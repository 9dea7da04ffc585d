import type { FastifyRequest } from 'fastify'
import { baseOf, publicBase, type ServerOptions } from '../../domain/server/server-options.ts'
import type { PasskeySite } from '../../platform/security/passkeys.ts'

type Asked = Pick<FastifyRequest, 'protocol' | 'host'>
type Known = Pick<ServerOptions, 'publicUrl' | 'baseURL'>

/**
 * Where the site is: as the operator says, or else the request, in which only trusted proxies are believed. No slash at its end.
 */
export function siteUrl({ protocol, host }: Asked, options: Known): string {
  return publicBase(options)?.replace(/\/$/, '') ?? `${protocol}://${host}${baseOf(options)}`
}

/** The site that browsers know passkeys by. A client that invents one only finds no passkey that signs for it. */
export function passkeySite(request: Asked, options: Known): PasskeySite {
  const address = siteUrl(request, options)
  if (!URL.canParse(address)) return { origin: '', host: '' }
  const { origin, hostname } = new URL(address)
  return { origin, host: hostname }
}

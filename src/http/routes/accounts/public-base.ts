import type { FastifyRequest } from 'fastify'
import { baseOf, publicBase, type ServerOptions } from '../../../domain/server/server-options.ts'

/** Where the site is: as the operator says, or else the browser of this request and a trusted proxy. No slash at its end. */
export function publicBaseOf({ protocol, host }: FastifyRequest, options: ServerOptions): string {
  return publicBase(options)?.replace(/\/$/, '') ?? `${protocol}://${host}${baseOf(options)}`
}

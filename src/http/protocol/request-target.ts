import type { IncomingMessage } from 'node:http'
import { pathBelow, routedPath, splitTarget } from './request-path.ts'

/**
 * What requests that other programs send mean here, decided before anything else sees them: routes, guards and logs know one form
 * of each address.
 *
 * - "http://host/path" (RFC 9112, section 3.2.2) is the path at that host.
 * - Without the prefix of the base URL, an address means the one with it: proxies may strip it, and health checks do not know it.
 *   An address that begins with the prefix has it.
 * - "/api/share" and the hash of a link need no slash between them, as in File Browser.
 * - Bytes that are not UTF-8 are marked for the router.
 * - tus clients that can only POST name the method in a header (tus 1.0). It counts for addresses of uploads only: elsewhere it
 *   would let a POST that a proxy permits be a DELETE.
 */
export function createRewriteTarget(base: string): (request: IncomingMessage) => string {
  return (request) => {
    const target = originForm(request)
    const { path, query } = splitTarget(target)
    const below = pathBelow(base, path) ?? path
    const override =
      TUS.test(below) && request.method === 'POST' ? request.headers['x-http-method-override'] : undefined
    if (typeof override === 'string' && OVERRIDES.has(override.toUpperCase())) request.method = override.toUpperCase()
    return `${base}${routedPath(below.replace(GLUED_HASH, '$1/$2'))}${query}`
  }
}

const TUS = /^\/api\/(public\/)?tus(\/|$)/
const OVERRIDES = new Set(['PATCH', 'DELETE', 'HEAD'])
const GLUED_HASH = /^(\/api\/share)([\w-]{6,})$/

/** Replaces the Host header by the host of an absolute target, so that both cannot differ. */
function originForm({ url = '/', headers }: IncomingMessage): string {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return rest.startsWith('/') ? rest : `/${rest}`
}

import type { ServerOptions } from '../../domain/settings/server-options.ts'
import { fail } from '../../domain/errors.ts'

/** The base URL without a slash at its end; "" for none. */
export function baseOf({ baseURL }: Pick<ServerOptions, 'baseURL'>): string {
  return baseURL.replace(/\/+$/, '')
}

/** The path as seen from the base URL, or undefined for an address outside it: "/fbx" is not below "/fb". */
export function pathBelow(base: string, path: string): string | undefined {
  if (path === base) return ''
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined
}

/** The path part of a request target, still percent-encoded, and the query with its "?" or "". */
export function splitTarget(target: string): { path: string; query: string } {
  const end = target.search(/[?#]/)
  return end < 0 ? { path: target, query: '' } : { path: target.slice(0, end), query: target.slice(end) }
}

/**
 * The path without "//", "." and "..", written afresh, or undefined when it has none of them. Escapes are looked through:
 * "%2e%2e" and "%2F.." are the same to a file system, so a guard that saw only the literal form could be walked around.
 *
 * @throws URIError for an escape that cannot be decoded
 */
export function cleanedPath(encoded: string): string | undefined {
  if (!/\/\/|\/\.|%/.test(encoded)) return undefined
  const decoded = decodeURIComponent(encoded)
  const segments = decoded.split('/').slice(1)
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const cleaned = `/${kept.join('/')}${decoded.endsWith('/') && kept.length > 0 ? '/' : ''}`
  // Each segment is encoded again, so the target of the redirect starts with exactly one "/" and stays on this host.
  return cleaned === decoded ? undefined : cleaned.split('/').map(encodeURIComponent).join('/')
}

/**
 * The path without escapes that none needs, when such stand in the name of its route: "/%61pi/login" is "/api/login". What
 * follows the route is left as it is, since clients escape names of files as they like.
 */
export function plainRoute(path: string, route: string | undefined): string | undefined {
  const fixed = route?.split(/[:*]/, 1)[0]
  if (fixed === undefined || path.startsWith(fixed)) return undefined
  const plain = path.replace(/%[2-7][0-9A-F]/gi, (escape) => {
    const character = decodeURIComponent(escape)
    return /[\w.~-]/.test(character) ? character : escape
  })
  return plain === path ? undefined : plain
}

/** A query as an object. Of a name that comes twice the first one counts; the object has no prototype to be polluted. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  return query
}

/**
 * Decodes a query value once more: clients send the already encoded path of a destination encoded again. The one place for
 * it, before the path is made, so that no check sees another path than the disk (CVE-2026-32758).
 *
 * @throws INVALID_INPUT for an escape that is none
 */
export function decodeAgain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) fail('INVALID_INPUT', 'the destination is not percent-encoded properly')
    throw error
  }
}

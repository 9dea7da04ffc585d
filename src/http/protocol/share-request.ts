import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../domain/errors.ts'

/** Splits "hash/a/b" into the hash and the path in the share, "/" where none is named. */
export function splitShared(text: string): { hash: string; path: string } {
  const slash = text.indexOf('/')
  return slash < 0 ? { hash: text, path: '/' } : { hash: text.slice(0, slash), path: text.slice(slash) }
}

/**
 * The password for a share, decoded as a form would be: percent escapes and "+" for a space.
 *
 * @throws UNAUTHENTICATED for an escape that is none: what cannot be read opens nothing
 */
export function sharePasswordOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-share-password']
  if (typeof header !== 'string') return undefined
  try {
    return decodeURIComponent(header.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) fail('UNAUTHENTICATED', 'the password of the link is not percent-encoded properly')
    throw error
  }
}

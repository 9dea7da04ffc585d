import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { claimsToBeApiToken } from '../../platform/security/api-token-text.ts'
import { headerText, type ClientInfo, type Peer } from '../../services/accounts/auth/sign-in-request.ts'
import type { Visit } from '../../services/shares/visits.ts'

export interface TokenRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** The token from the header, or for reading requests only, from the cookie. */
export function tokenOf({ method, headers, cookies }: TokenRequest): string | undefined {
  const header = headers['x-auth']
  // The header takes precedence even if its token is invalid: the page sent it on purpose.
  if (typeof header === 'string' && hasTokenShape(header)) return header
  // CSRF: a browser adds the cookie to requests that a foreign page makes, so it never authorises a change (GHSA-72wf-hwcq-65h9).
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (isForeignSubresource(headers)) return undefined
  const cookie = cookies['auth']
  return cookie !== undefined && hasTokenShape(cookie) ? cookie : undefined
}

/** An API token, and the user name that came with it. */
export interface SentApiToken {
  readonly secret: string
  readonly username?: string
}

/**
 * The API token of a request: in X-Auth, as Bearer, or as the password of Basic. Other content of Authorization is ignored,
 * because it may be meant for a proxy.
 */
export function apiTokenOf({ headers }: Pick<TokenRequest, 'headers'>): SentApiToken | undefined {
  const header = headers['x-auth']
  if (typeof header === 'string' && claimsToBeApiToken(header)) return { secret: header }
  if (typeof header === 'string' && hasTokenShape(header)) return undefined
  const [, scheme = '', value = ''] = /^(bearer|basic) +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return claimsToBeApiToken(value) ? { secret: value } : undefined
  // CSRF: a browser that was once given a password by an address such as https://user:token@host sends it for other pages too.
  if (isCrossOrigin(headers)) return undefined
  const { username, password: secret } = credentialsIn(value)
  return claimsToBeApiToken(secret) ? { secret, username } : undefined
}

/** @param encoded as in Basic (RFC 7617) */
function credentialsIn(encoded: string): { readonly username: string; readonly password: string } {
  const [username = '', ...rest] = headerText(Buffer.from(encoded, 'base64')).split(':')
  return { username, password: rest.join(':') }
}

function hasTokenShape(text: string): boolean {
  return text.split('.').length === 3
}

/** True if a page of another site embeds or fetches our files. Following a link to us is fine. */
function isForeignSubresource(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate'
}

/** Browsers state the languages of their user with every request; other programs hardly do. */
export function isBrowser(headers: IncomingHttpHeaders): boolean {
  return headers['accept-language'] !== undefined
}

/** True if a browser reports that no page of this origin caused the request. Other programs do not send the header. */
export function isCrossOrigin(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

/** The client's IP address; "" on a unix socket and after the client has gone. */
export function addressOf({ ip }: { readonly ip: string | undefined }): string {
  return ip ?? ''
}

/** The visit of a share. @throws UNAUTHENTICATED outside of share routes */
export function visitOf({ visit }: FastifyRequest): Visit {
  return visit ?? fail('UNAUTHENTICATED', 'there is no such share')
}

/** Splits "hash/a/b" into the hash and the path in the share, which defaults to "/". */
export function splitShared(text: string): { hash: string; path: string } {
  const slash = text.indexOf('/')
  return slash < 0 ? { hash: text, path: '/' } : { hash: text.slice(0, slash), path: text.slice(slash) }
}

/**
 * The password for a share: in its own header, decoded as a form would be (percent escapes, and "+" for a space), or as the
 * password of Basic, with any user name. Not from browsers, which send what they were given for a proxy in front of this server:
 * it would count as a wrong password of the link.
 *
 * @throws UNAUTHENTICATED for an invalid escape
 */
export function sharePasswordOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-share-password']
  if (typeof header !== 'string') {
    if (isBrowser(headers)) return undefined
    const [, value] = /^basic +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
    return value === undefined ? undefined : credentialsIn(value).password
  }
  try {
    return decodeURIComponent(header.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) fail('UNAUTHENTICATED', 'the password of the link is not percent-encoded properly')
    throw error
  }
}

/** The caller's own password, for calls without a JSON body. @throws INVALID_INPUT */
export function currentPasswordOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-current-password']
  if (typeof header !== 'string') return undefined
  try {
    return decodeURIComponent(header)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return fail('INVALID_INPUT', 'X-Current-Password is not percent-encoded properly', { field: 'current_password' })
  }
}

/** The other end of the connection, which may be a proxy. */
export function peerOf({ raw }: FastifyRequest): Peer {
  const { rawHeaders, socket } = raw
  return {
    address: socket.remoteAddress,
    header: (name) =>
      rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name.toLowerCase()),
  }
}

/** Holds the secret of a trusted device. Each account has its own, so that people can share a browser. */
export function trustCookie(user: UserId): string {
  return `trust-${user}`
}

/** Address and user agent of the client, and what it keeps for accounts. */
export function clientOf(request: FastifyRequest): ClientInfo {
  return {
    address: addressOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    trustOf: (user) => request.cookies[trustCookie(user)],
  }
}

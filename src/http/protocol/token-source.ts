import type { IncomingHttpHeaders } from 'node:http'

export interface TokenRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** Where the token stands, if anywhere: the header for every method, the cookie for reading only. */
export function tokenOf({ method, headers, cookies }: TokenRequest): string | undefined {
  const header = headers['x-auth']
  // Final, even when it turns out to be invalid: a page that sends a token means that one.
  if (typeof header === 'string' && hasTokenShape(header)) return header
  // A cookie travels along with requests that a foreign page makes: it must not authorise a change (GHSA-72wf-hwcq-65h9).
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (isForeignSubresource(headers)) return undefined
  const cookie = cookies['auth']
  return cookie !== undefined && hasTokenShape(cookie) ? cookie : undefined
}

function hasTokenShape(text: string): boolean {
  return text.split('.').length === 3
}

/** A page of another site embeds our files or fetches them; following a link to us is fine. */
function isForeignSubresource(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate'
}

/** Another page, also one of the same host on another port, made the browser ask. Browsers say so; programs say nothing. */
export function isAskedElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

import type { FastifyReply, FastifyRequest } from 'fastify'

/** Where the cookie of a sign-in goes: to every address of ours, and nowhere else on the host. */
export interface CookieScope {
  readonly baseURL: string
}

/**
 * The token for what a page cannot put a header on: downloads, pictures and the terminal. No script can read it, no other
 * site can make the browser send it, and it ends with the browser. Only browsers get one: they name their origin when they
 * post, and where a request comes from when they read. A program that keeps cookies would be signed in without knowing it.
 */
export function setAuthCookie(request: FastifyRequest, reply: FastifyReply, token: string, scope: CookieScope): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin === undefined && site === undefined) return
  void reply.setCookie('auth', token, attributes(request, scope))
}

/** Takes the cookie of the session away from the browser. */
export function clearAuthCookie(request: FastifyRequest, reply: FastifyReply, scope: CookieScope): void {
  void reply.clearCookie('auth', attributes(request, scope))
}

function attributes(request: FastifyRequest, { baseURL }: CookieScope) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    path: baseURL === '' ? '/' : baseURL,
    secure: request.protocol === 'https',
  } as const
}

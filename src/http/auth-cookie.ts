import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_HEADER } from '../domain/page-contract.ts'
import { isAskedElsewhere } from './protocol/token-source.ts'
/** Where the cookie of a sign-in goes: to every address of ours, and nowhere else on the host. */
export interface CookieScope {
  readonly baseURL: string
}

/**
 * The token for what a page cannot put a header on: downloads, pictures and the terminal. No script can read it, no other
 * site can make the browser send it, and it ends with the browser. Only our own page gets one, which says so by a header that
 * no form can send: a page of another site could sign a visitor into an account of its own (login CSRF). A program that keeps
 * cookies would be signed in without knowing it, and the page of File Browser could not take an HttpOnly cookie away.
 */
export function setAuthCookie(request: FastifyRequest, reply: FastifyReply, token: string, scope: CookieScope): void {
  const { headers } = request
  if (headers[PAGE_HEADER] === undefined || isAskedElsewhere(headers)) return
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getPasswordRules, login, logout, redeemCode, renew, signup } from '../../api/auth.ts'
import type { Context } from '../../context.ts'
import type { AuthMethod } from '../../domain/auth-method.ts'
import { fail } from '../../domain/errors.ts'
import { baseOf } from '../protocol/request-path.ts'
import { mount, type MountOptions } from '../mount.ts'
import { isAskedElsewhere } from '../protocol/caller.ts'
import { PAGE_HEADER } from '../../domain/page-contract.ts'

/** A sign-in sends little, and an invalid body tells it no more than a wrong password. */
const SIGN_IN: MountOptions = { bodyLimit: 8192, invalidAs: 'WRONG_CREDENTIALS' }

const NOBODY = { username: '', password: '' }

/** Who comes by a proxy, or where nobody signs in, sends no credentials, or any. */
function asksForNothing(method: AuthMethod): boolean {
  return method === 'proxy' || method === 'noauth'
}

export function authRoutes(app: FastifyInstance, { services, options }: Context): void {
  const scope = { baseURL: baseOf(options) }

  mount(
    app,
    login,
    async ({ body, client, peer, request, reply }) => {
      const token = await services.auth.login(body, client, peer)
      setAuthCookie(request, reply, token, scope)
      return await reply.type('text/plain').send(token)
    },
    { ...SIGN_IN, placeholderBody: () => (asksForNothing(services.auth.method()) ? NOBODY : undefined) },
  )

  mount(
    app,
    signup,
    async ({ body, client }) => {
      await services.signUp.signUp({ ...NOBODY, ...body }, client)
    },
    // Switched off, it is so for every request, whatever its body.
    {
      bodyLimit: 8192,
      invalidAs: 'INVALID_INPUT',
      placeholderBody: () => (services.signUp.isOpen() ? undefined : NOBODY),
    },
  )

  mount(
    app,
    redeemCode,
    async ({ body, client, request, reply }) => {
      const token = await services.auth.redeemCode(body.code, client)
      setAuthCookie(request, reply, token, scope)
      return await reply.type('text/plain').send(token)
    },
    SIGN_IN,
  )

  mount(
    app,
    renew,
    async ({ actor, client, request, reply }) => {
      // It changes the session, and old clients ask by GET: a foreign page could sign the user out with it (CVE-2026-61502).
      if (isAskedElsewhere(request.headers)) fail('UNAUTHENTICATED', 'only a page of this server may renew its session')
      const token = await services.auth.renew(actor, client)
      setAuthCookie(request, reply, token, scope)
      return await reply.header('x-renew-token', 'false').type('text/plain').send(token)
    },
    { bodyLimit: 8192, renews: true },
  )

  mount(app, getPasswordRules, () => ({ minimumLength: services.settings.current().minimumPasswordLength }))

  mount(app, logout, async ({ actor, request, reply }) => {
    await services.auth.logout(actor)
    clearAuthCookie(request, reply, scope)
  })
}

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
function setAuthCookie(request: FastifyRequest, reply: FastifyReply, token: string, scope: CookieScope): void {
  const { headers } = request
  if (headers[PAGE_HEADER] === undefined || isAskedElsewhere(headers)) return
  void reply.setCookie('auth', token, attributes(request, scope))
}

/** Takes the cookie of the session away from the browser. */
function clearAuthCookie(request: FastifyRequest, reply: FastifyReply, scope: CookieScope): void {
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

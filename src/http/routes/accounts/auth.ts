import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  askPasskey,
  login,
  logout,
  redeemCode,
  redeemProvider,
  renew,
  showFactor,
  signInByPasskey,
  signup,
} from '../../../api/accounts/auth.ts'
import type { Context } from '../../../context.ts'
import type { AuthMethod } from '../../../domain/accounts/auth-method.ts'
import { fail } from '../../../domain/errors.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { forgetSecret, secretIn } from './provider-cookies.ts'
import { mount, type MountOptions } from '../../mount.ts'
import { isCrossOrigin, trustCookie } from '../../protocol/caller.ts'
import { passkeySite, siteUrl } from '../../protocol/site.ts'
import { PAGE_HEADER } from '../../../domain/page-contract.ts'

/** Sign-in bodies are small. An invalid one gets the same reply as a wrong password. */
export const SIGN_IN: MountOptions = { bodyLimit: 8192, invalidAs: 'WRONG_CREDENTIALS' }

/** The answer of a passkey is larger. */
const BY_PASSKEY: MountOptions = { bodyLimit: 65_536, invalidAs: 'WRONG_CREDENTIALS' }

const NO_CREDENTIALS = { username: '', password: '' }

function ignoresCredentials(method: AuthMethod): boolean {
  return method === 'proxy' || method === 'noauth'
}

export function authRoutes(app: FastifyInstance, context: Context): void {
  const { services, options } = context
  const scope = { baseURL: baseOf(options) }
  const siteOf = (request: FastifyRequest) => passkeySite(request, options)

  mount(
    app,
    login,
    async ({ body, client, peer, request, reply }) => {
      const token = await services.auth.login(body, client, peer)
      setAuthCookie(request, reply, token, scope)
      return await reply.type('text/plain').send(token)
    },
    { ...SIGN_IN, placeholderBody: () => (ignoresCredentials(services.auth.method()) ? NO_CREDENTIALS : undefined) },
  )

  mount(
    app,
    signup,
    async ({ body, client }) => {
      await services.signUp.signUp({ ...NO_CREDENTIALS, ...body }, client)
    },
    // While sign-up is off, every body gets the same reply.
    {
      bodyLimit: 8192,
      invalidAs: 'INVALID_INPUT',
      placeholderBody: () => (services.signUp.isOpen() ? undefined : NO_CREDENTIALS),
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
    redeemProvider,
    async ({ params: { id }, body: { code }, client, request, reply }) => {
      const token = await services.oidcSignIn.redeem(id, code, secretIn(request, code), client)
      forgetSecret(request, reply, scope.baseURL, code)
      setAuthCookie(request, reply, token, scope)
      return await reply.type('text/plain').send(token)
    },
    SIGN_IN,
  )

  mount(
    app,
    showFactor,
    async ({ body: { challenge, trust: asksTrust = false, ...proof }, client, request, reply }) => {
      const trusts = asksTrust && mayKeepCookies(request)
      const { token, trust } = await services.auth.showFactor(challenge, proof, siteOf(request), client, trusts)
      setAuthCookie(request, reply, token, scope)
      if (trust !== undefined)
        void reply.setCookie(trustCookie(trust.userId), trust.secret, {
          ...attributes(request, scope),
          maxAge: trust.lifetime / 1000,
        })
      return await reply.type('text/plain').send(token)
    },
    BY_PASSKEY,
  )

  mount(
    app,
    askPasskey,
    async ({ body, request }) => await services.auth.askPasskey(body.challenge, siteOf(request)),
    SIGN_IN,
  )

  mount(
    app,
    signInByPasskey,
    async ({ body, client, request, reply }) => {
      const token = await services.auth.signInByPasskey(body.passkey, siteOf(request), client)
      setAuthCookie(request, reply, token, scope)
      return await reply.type('text/plain').send(token)
    },
    BY_PASSKEY,
  )

  mount(
    app,
    renew,
    async ({ actor, client, request, reply }) => {
      // CSRF: renewing changes the session, and old clients do it by GET: another site could sign the user out (CVE-2026-61502).
      if (isCrossOrigin(request.headers)) fail('UNAUTHENTICATED', 'only a page of this server may renew its session')
      const token = await services.auth.renew(actor, client)
      setAuthCookie(request, reply, token, scope)
      return await reply.header('x-renew-token', 'false').type('text/plain').send(token)
    },
    { bodyLimit: 8192, renews: true },
  )

  mount(app, logout, async ({ actor, request, reply }) => {
    const session = actor.kind === 'user' ? actor.session : undefined
    await services.auth.logout(actor)
    clearAuthCookie(request, reply, scope)
    const returnTo = `${siteUrl(request, options)}/login`
    const url = session === undefined ? undefined : await services.oidcSignOut.addressFor(session, returnTo)
    return url === undefined ? await reply.code(204).send() : { url }
  })
}

/** The cookie is sent to paths below our base URL, and nowhere else on the host. */
export interface CookieScope {
  readonly baseURL: string
}

/**
 * Sets the cookie for requests that cannot carry a header: downloads, pictures and the terminal. Scripts cannot read it, other
 * sites cannot make the browser send it, and it ends with the browser session. Only our own page gets one, which identifies
 * itself by a header that no form can send: otherwise another site could sign the user into the attacker's account (login
 * CSRF). Programs do not expect a cookie, and the page of File Browser could not delete an HttpOnly one.
 */
export function setAuthCookie(request: FastifyRequest, reply: FastifyReply, token: string, scope: CookieScope): void {
  if (!mayKeepCookies(request)) return
  void reply.setCookie('auth', token, attributes(request, scope))
}

function mayKeepCookies({ headers }: FastifyRequest): boolean {
  return headers[PAGE_HEADER] !== undefined && !isCrossOrigin(headers)
}

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

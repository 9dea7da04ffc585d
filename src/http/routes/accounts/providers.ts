import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endByProvider, finishSignIn, startLink, startSignIn } from '../../../api/accounts/providers.ts'
import type { Context } from '../../../context.ts'
import { auditText } from '../../../domain/server/audit.ts'
import { type FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { LOGIN_PATH, WAYS_PATH } from '../../../domain/page-contract.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'
import { addressOf } from '../../protocol/caller.ts'
import { sentTarget } from '../../protocol/request-path.ts'
import { siteUrl } from '../../protocol/site.ts'
import { forgetSecret, keepSecret, secretIn } from './provider-cookies.ts'

/** Sign-in at providers of OpenID Connect: a browser is sent there, comes back, and the page fetches its session, or links the account. */
export function providerRoutes(app: FastifyInstance, context: Context): void {
  const { services, options, clock } = context
  const base = baseOf(options)

  /** Refusals of these requests appear in the activity log, too, although they are GETs. */
  const noteRefusal = (request: FastifyRequest, action: string, id: string, { details }: FilemgrError): void =>
    services.audit.record({
      who: '',
      address: addressOf(request),
      action,
      target: auditText(`${id}: ${details['reason'] ?? 'refused'}`),
      outcome: 'refused',
    })

  /** Only words that the page knows: an address must not be able to put a sentence on our page. */
  const sendProblem = (reply: FastifyReply, to: string, id: string, error: FilemgrError): FastifyReply => {
    const reason = error.details['reason'] ?? (error.code === 'MAINTENANCE' ? 'maintenance' : error.code)
    const fragment = new URLSearchParams({ problem: reason, provider: id, at: String(clock.now()) })
    return reply.redirect(`${base}${to}#${fragment.toString()}`, 302)
  }

  mount(app, startSignIn, async ({ params: { id }, query, client, request, reply }) => {
    const to = localPath(query.to)
    const redirectUri = `${siteUrl(request, options)}/api/sign-in/${id}/callback`
    try {
      const { url, ...given } = await services.oidcSignIn.start(id, { redirectUri, to, client })
      keepSecret(request, reply, base, given)
      return await reply.redirect(url, 302)
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      noteRefusal(request, startSignIn.id, id, error)
      return await sendProblem(reply, withTarget(LOGIN_PATH, to), id, error)
    }
  })

  mount(app, startLink, async ({ params: { id }, body, actor, client, request, reply }) => {
    const redirectUri = `${siteUrl(request, options)}/api/sign-in/${id}/callback`
    const to = localPath(body.to) || WAYS_PATH
    const start = { redirectUri, to, client, currentPassword: body.current_password }
    const { url, ...given } = await services.identities.begin(actor, id, start)
    keepSecret(request, reply, base, given)
    return { url }
  })

  mount(app, finishSignIn, async ({ params: { id }, request, reply }) => {
    const { query: search } = sentTarget(request)
    const state = new URLSearchParams(search).get('state') ?? ''
    const { to, isLink, code, problem } = await services.oidcSignIn.finish(id, search, secretIn(request, state))
    const page = isLink ? to : withTarget(LOGIN_PATH, to)
    if (code !== undefined) {
      const fragment = new URLSearchParams({ [isLink ? 'link' : 'code']: code, provider: id })
      return await reply.redirect(`${base}${page}#${fragment.toString()}`, 302)
    }
    forgetSecret(request, reply, base, state)
    if (problem === undefined) return await reply.redirect(`${base}${page}`, 302)
    noteRefusal(request, finishSignIn.id, id, problem)
    return await sendProblem(reply, page, id, problem)
  })

  mount(
    app,
    endByProvider,
    async ({ params: { id }, body, reply }) => {
      await services.oidcSignOut.endByProvider(id, body.logout_token)
      return await reply.send()
    },
    { bodyLimit: 32_768 },
  )
}

/**
 * A path of our page, or "" for anything else. The attack is an open redirect: a link to this site that ends at another one.
 * Browsers read "\" as "/", and drop tabs and line breaks.
 */
function localPath(text = ''): string {
  return /^\/(?![/\\])[^\s\\]*$/.test(text) ? text : ''
}

function withTarget(page: string, to: string): string {
  return to === '' ? page : `${page}?${new URLSearchParams({ redirect: to }).toString()}`
}

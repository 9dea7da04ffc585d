import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { requireRight } from '../../domain/permissions.ts'
import { clientOf, peerOf } from '../mount.ts'
import { isAskedElsewhere, tokenOf } from '../protocol/token-source.ts'
/** Finds out who asks, before anything else of the request is looked at. */
export const authentication = fastifyPlugin(async (app: FastifyInstance, { context }: { context: Context }) => {
  await app.register(cookie)
  app.decorateRequest('actor', undefined)

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return
    const { access, page, late, renews } = request.routeOptions.config
    if (access === 'public' || access === 'share' || page === true) return
    const token = tokenOf(request)
    if (token === undefined) fail('UNAUTHENTICATED', 'sign in first')
    const { auth } = context.services
    let { authenticate } = auth
    if (late === true) authenticate = auth.authenticateForUpload
    // A page of another site that makes the browser send an outdated cookie is no thief.
    else if (renews === true && !isAskedElsewhere(request.headers)) authenticate = auth.authenticateToRenew
    const { actor, mustRenew } = await authenticate(token, clientOf(request), peerOf(request))
    request.actor = actor
    if (mustRenew) void reply.header('x-renew-token', 'true')
    // Before the body is read: someone without the right learns nothing from what is wrong with it.
    if (access !== 'user') requireRight(actor.user.perm, 'administration')
  })
})

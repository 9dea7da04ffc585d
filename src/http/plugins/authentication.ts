import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { fail, type FilemgrError } from '../../domain/errors.ts'
import { requireAdmin, requireSignedIn } from '../../domain/accounts/actor.ts'
import type { RequestEndState } from '../route-config.ts'
import { addressOf, apiTokenOf, clientOf, isCrossOrigin, peerOf, tokenOf } from '../protocol/caller.ts'

/** Authenticates the caller before anything else in the request is examined. */
export function authentication(app: FastifyInstance, context: Context): void {
  app.decorateRequest('actor', undefined)

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return
    const { access, page, allowsExpiredSession, renews, operation } = request.routeOptions.config
    if (access === 'public' || access === 'share' || page === true) return
    const apiToken = apiTokenOf(request)
    if (apiToken !== undefined) {
      const { secret, username } = apiToken
      const actor = await context.services.apiTokens.authenticate(secret, clientOf(request), username)
      request.actor = actor
      if (operation?.tokens !== true) requireSignedIn(actor)
      if (access !== 'user') requireAdmin(actor, 'administration')
      return
    }
    const token = tokenOf(request)
    if (token === undefined) fail('UNAUTHENTICATED', 'sign in first')
    const { auth } = context.services
    let { authenticate } = auth
    if (allowsExpiredSession === true) authenticate = auth.authenticateForUpload
    // A replaced token counts as stolen and ends the session, so requests triggered by other sites must not get here.
    else if (renews === true && !isCrossOrigin(request.headers)) authenticate = auth.authenticateToRenew
    const { actor, mustRenew } = await authenticate(token, clientOf(request), peerOf(request))
    request.actor = actor
    if (mustRenew) void reply.header('x-renew-token', 'true')
    // Before the body is read, so that callers without the right learn nothing from validation errors.
    if (access !== 'user') requireAdmin(actor, 'administration')
  })
}

/**
 * Ends running requests once their session, API token or link has ended, or something that they do would be refused by now:
 * otherwise a thief could keep reading or writing until the last request completes. An upload is refused and leaves nothing
 * behind; a reply that has begun is cut off.
 */
export function requestEnd(app: FastifyInstance, { services: { actorWatch }, log }: Context): void {
  app.decorateRequest('requestEnd', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    const end: RequestEndState = {}
    request.requestEnd = end
    const actor = request.actor ?? request.visit?.visitor
    const isWatched = actor !== undefined && actor.kind !== 'operator'
    const unsubscribe =
      isWatched && request.routeOptions.config.endsItself !== true
        ? actorWatch.onRefused(actor, (reason) => {
            const facts = { operation: request.routeOptions.config.operation?.id, address: addressOf(request) }
            if (raw.headersSent) log.warn(facts, `a reply was cut off: ${reason.message}`)
            endRequest(request, reply, reason)
          })
        : undefined
    // Also if the client disconnects.
    raw.once('close', () => {
      unsubscribe?.()
      if (raw.writableFinished) return
      end.hasLeft = true
      end.abort?.abort()
    })
    done()
  })
}

/** Aborted when the client disconnects, or the request must end. */
export function stopSignalOf({ requestEnd: end = {} }: FastifyRequest): AbortSignal {
  if (end.abort === undefined) {
    end.abort = new AbortController()
    if (end.error !== undefined || end.hasLeft === true) end.abort.abort(end.error)
  }
  return end.abort.signal
}

/** Ends a running request with this error. */
export function endRequest({ requestEnd: end }: FastifyRequest, reply: FastifyReply, error: FilemgrError): void {
  if (end === undefined) return
  end.error = error
  end.abort?.abort(error)
  if (reply.raw.headersSent) reply.raw.destroy()
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { fail, FilemgrError } from '../../domain/errors.ts'
import { requireRight } from '../../domain/access/permissions.ts'
import { clientOf, isAskedElsewhere, peerOf, tokenOf } from '../protocol/caller.ts'

/** Authenticates the caller before anything else of the request is examined. */
export function authentication(app: FastifyInstance, context: Context): void {
  app.decorateRequest('actor', undefined)

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return
    const { access, page, allowsExpiredSession, renews } = request.routeOptions.config
    if (access === 'public' || access === 'share' || page === true) return
    const token = tokenOf(request)
    if (token === undefined) fail('UNAUTHENTICATED', 'sign in first')
    const { auth } = context.services
    let { authenticate } = auth
    if (allowsExpiredSession === true) authenticate = auth.authenticateForUpload
    // An outdated cookie that another site makes the browser send is no sign of theft.
    else if (renews === true && !isAskedElsewhere(request.headers)) authenticate = auth.authenticateToRenew
    const { actor, mustRenew } = await authenticate(token, clientOf(request), peerOf(request))
    request.actor = actor
    if (mustRenew) void reply.header('x-renew-token', 'true')
    // Before the body is read, so that callers without the right learn nothing from validation errors.
    if (access !== 'user') requireRight(actor.user.perm, 'administration')
  })
}

/**
 * Ends requests that are under way when their session is revoked: else a stolen token would go on reading and writing for as
 * long as its last request takes. An upload is refused and leaves nothing behind; an answer that has begun is cut off.
 */
export function sessionEnd(app: FastifyInstance, context: Context): void {
  const { sessionWatch } = context.services
  app.decorateRequest('sessionEnd', undefined)

  app.addHook('onRequest', async (request, reply) => {
    const { actor } = request
    if (actor?.kind !== 'user' || request.routeOptions.config.endsItself === true) return
    request.sessionEnd = {}
    const hearNoMore = sessionWatch.onRevoked(actor.session, () => endRequest(request, reply))
    // "finish" alone is silent when the client goes away.
    reply.raw.once('finish', hearNoMore).once('close', hearNoMore)
  })
}

/** Aborted when the client goes away, or its session is revoked. */
export function stopSignalOf(request: FastifyRequest): AbortSignal {
  const { sessionEnd: end } = request
  if (end === undefined) return request.signal
  if (end.abort === undefined) {
    const abort = (end.abort = new AbortController())
    const { signal } = request
    if (end.error !== undefined) abort.abort(end.error)
    else if (signal.aborted) abort.abort(signal.reason)
    // `AbortSignal.any` takes longer than opening a small file.
    else signal.addEventListener('abort', () => abort.abort(signal.reason), { once: true })
  }
  return end.abort.signal
}

function endRequest({ sessionEnd: end }: FastifyRequest, reply: FastifyReply): void {
  if (end === undefined) return
  end.error = new FilemgrError('UNAUTHENTICATED', 'the session has ended; sign in again')
  end.abort?.abort(end.error)
  if (reply.raw.headersSent) reply.raw.destroy()
}

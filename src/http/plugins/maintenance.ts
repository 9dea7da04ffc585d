import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { endRequest } from './authentication.ts'

/**
 * Lets only administrators in during maintenance. When it begins, uploads of others are cut off, since they can be sent again.
 * Their other running requests go on, and are counted so that an administrator can wait for them.
 */
export function maintenanceGuard(app: FastifyInstance, { services: { maintenance } }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { access, operation, page, endsItself } = request.routeOptions.config
    if (request.is404 || page === true || access === 'public') return done()
    const user = request.actor?.kind === 'user' ? request.actor.user() : undefined
    const refusal = maintenance.refusalOf(user)
    if (refusal !== undefined) return done(refusal)
    if (endsItself !== true && (user === undefined || !isAdministrator(user))) {
      const isUpload = operation?.bodyKind !== undefined
      const ended = maintenance.track(isUpload ? (error) => endRequest(request, reply, error) : undefined)
      // "finish" does not fire if the client disconnects.
      reply.raw.once('finish', ended).once('close', ended)
    }
    done()
  })
}

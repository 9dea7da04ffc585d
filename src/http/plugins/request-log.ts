import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../../context.ts'
import { addressOf } from '../protocol/address-of.ts'
import { splitTarget } from '../protocol/clean-path.ts'
import { loggedPath } from '../protocol/logged-path.ts'

/**
 * One line per request. The query is left out: old clients put tokens there. A refused sign-in reads
 * "/api/login: 403 192.0.2.7 <nil>", the form that existing fail2ban filters look for.
 */
export const requestLog = fastifyPlugin(async (app: FastifyInstance, { context }: { context: Context }) => {
  app.addHook('onResponse', async (request, reply) => {
    const path = loggedPath(splitTarget(request.url).path, request.method)
    const status = reply.statusCode
    const facts = {
      operation: request.routeOptions.config.operation?.id,
      method: request.method,
      status,
      address: addressOf(request),
      milliseconds: Math.round(reply.elapsedTime),
      user: request.actor?.kind === 'user' ? request.actor.user.id : undefined,
    }
    if (status >= 400) context.log.warn(facts, `${path}: ${status} ${addressOf(request)} <nil>`)
    else context.log.debug(facts, `${path}: ${status}`)
  })
})

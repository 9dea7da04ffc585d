import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { createToken, listTokens, revokeToken } from '../../../api/accounts/tokens.ts'

export function tokenRoutes(app: FastifyInstance, { services: { apiTokens } }: Context): void {
  mount(app, listTokens, ({ actor, query }) => apiTokens.list(actor, { all: query.all === true }))

  mount(app, createToken, async ({ actor, body: { current_password: currentPassword, ...order }, reply }) => {
    // The secret must not stay in a cache.
    void reply.header('cache-control', 'no-store')
    return await apiTokens.create(actor, order, { currentPassword })
  })

  mount(app, revokeToken, async ({ actor, params }) => {
    await apiTokens.revoke(actor, params.id)
  })
}

import type { FastifyInstance } from 'fastify'
import { listQuotas, recountQuota } from '../../api/accounts/quotas.ts'
import { createUser, deleteUser, getUser, listUsers, updateUser } from '../../api/accounts/users.ts'
import type { Context } from '../../context.ts'
import type { UserId } from '../../domain/ids.ts'
import { mount } from '../mount.ts'
import { createToken, listTokens, revokeToken } from '../../api/accounts/tokens.ts'
import { listSessions, revokeSession, revokeSessions } from '../../api/accounts/sessions.ts'

export function userRoutes(app: FastifyInstance, { services: { users } }: Context): void {
  mount(app, listUsers, async ({ actor }) => await users.list(actor))

  mount(app, getUser, async ({ actor, params }) => await users.get(actor, idOf(params)))

  mount(app, createUser, async ({ actor, body, reply }) => {
    const user = await users.createFromWire(actor, body)
    // An address for the router of old pages, therefore without the base URL.
    void reply.header('location', `/settings/users/${user.id}`)
    return undefined
  })

  mount(app, updateUser, async ({ actor, params, body }) => {
    await users.updateFromWire(actor, idOf(params), body)
  })

  mount(app, deleteUser, async ({ actor, params, body }) => {
    await users.removeFromWire(actor, idOf(params), body)
  })
}

export function quotaRoutes(app: FastifyInstance, { services: { quotas } }: Context): void {
  mount(app, listQuotas, async ({ actor }) => await quotas.list(actor))

  mount(app, recountQuota, async ({ actor, params, signal }) => await quotas.recount(actor, idOf(params), signal))
}

function idOf({ id }: { id: string }): UserId {
  return Number(id) as UserId
}

export function sessionRoutes(app: FastifyInstance, { services: { sessions } }: Context): void {
  mount(app, listSessions, async ({ actor, query }) => await sessions.list(actor, { all: query.all === true }))

  mount(app, revokeSession, async ({ actor, params }) => {
    await sessions.revoke(actor, params.id)
  })

  mount(app, revokeSessions, async ({ actor, query: { userId, all } }) => {
    if (all === true) return { revoked: await sessions.revokeAllUsers(actor) }
    if (userId !== undefined) return { revoked: await sessions.revokeAllOf(actor, userId as UserId) }
    return { revoked: await sessions.revokeOthers(actor) }
  })
}

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

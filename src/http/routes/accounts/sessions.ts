import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import type { UserId } from '../../../domain/ids.ts'
import { mount } from '../../mount.ts'
import { listSessions, revokeSession, revokeSessions } from '../../../api/accounts/sessions.ts'

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

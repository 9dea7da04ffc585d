import { listSessionsAsOperator, revokeSessionsAsOperator } from '../../api/accounts/operator.ts'
import { listSessions, revokeSession, revokeSessions } from '../../api/accounts/sessions.ts'
import type { UserId } from '../../domain/ids.ts'
import { handler } from '../handler.ts'

export const sessionHandlers = {
  list: handler(
    listSessions,
    async ({ actor, query }, { services: { sessions } }) => await sessions.list(actor, { all: query.all === true }),
  ),

  revoke: handler(revokeSession, async ({ actor, params }, { services: { sessions } }) => {
    await sessions.revoke(actor, params.id)
  }),

  revokeAll: handler(revokeSessions, async ({ actor, query: { userId, all } }, { services: { sessions } }) => {
    if (all === true) return { revoked: await sessions.revokeAllUsers(actor) }
    if (userId !== undefined) return { revoked: await sessions.revokeAllOf(actor, userId as UserId) }
    return { revoked: await sessions.revokeOthers(actor) }
  }),

  listAsOperator: handler(
    listSessionsAsOperator,
    async ({ actor, query: { user } }, { services: { sessions, users } }) =>
      await sessions.list(actor, user === undefined ? { all: true } : { userId: users.find(user).id }),
  ),

  revokeAllAsOperator: handler(
    revokeSessionsAsOperator,
    async ({ actor, query: { user } }, { services: { sessions, users } }) => ({
      revoked:
        user === undefined
          ? await sessions.revokeAllUsers(actor)
          : await sessions.revokeAllOf(actor, users.find(user).id),
    }),
  ),
}

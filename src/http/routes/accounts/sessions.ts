import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { sessionHandlers } from '../../../operations/accounts/sessions.ts'
import { mountHandler } from '../../mount.ts'

export function sessionRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, sessionHandlers.list)
  mountHandler(app, context, sessionHandlers.revoke)
  mountHandler(app, context, sessionHandlers.revokeAll)
}

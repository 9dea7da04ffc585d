import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { quotaHandlers } from '../../../operations/access/quotas.ts'
import { mountHandler } from '../../mount.ts'

export function quotaRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, quotaHandlers.list)
  mountHandler(app, context, quotaHandlers.recount)
}

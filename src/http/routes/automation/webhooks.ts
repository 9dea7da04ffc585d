import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { webhookHandlers } from '../../../operations/automation/webhooks.ts'
import { mountHandler } from '../../mount.ts'

export function webhookRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, webhookHandlers.list)
  mountHandler(app, context, webhookHandlers.add)
  mountHandler(app, context, webhookHandlers.change)
  mountHandler(app, context, webhookHandlers.remove)
  mountHandler(app, context, webhookHandlers.test)
}

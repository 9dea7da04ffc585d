import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { hookHandlers } from '../../../operations/automation/hooks.ts'
import { mountHandler } from '../../mount.ts'

export function hookRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, hookHandlers.list)
  mountHandler(app, context, hookHandlers.add)
  mountHandler(app, context, hookHandlers.change)
  mountHandler(app, context, hookHandlers.remove)
  mountHandler(app, context, hookHandlers.test)
}

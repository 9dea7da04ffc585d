import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { ruleHandlers } from '../../../operations/access/rules.ts'
import { mountHandler } from '../../mount.ts'

export function ruleRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, ruleHandlers.why)
  mountHandler(app, context, ruleHandlers.whyIf)
  mountHandler(app, context, ruleHandlers.preview)
}

import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { jobHandlers } from '../../../operations/automation/jobs.ts'
import { mountHandler } from '../../mount.ts'

export function jobRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, jobHandlers.list)
  mountHandler(app, context, jobHandlers.get)
  mountHandler(app, context, jobHandlers.cancel)
}

import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { maintenanceHandlers } from '../../../operations/server/maintenance.ts'
import { mountHandler } from '../../mount.ts'

export function maintenanceRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, maintenanceHandlers.get)
  mountHandler(app, context, maintenanceHandlers.begin)
  mountHandler(app, context, maintenanceHandlers.end)
}

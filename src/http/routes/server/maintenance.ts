import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { beginMaintenance, endMaintenance, getMaintenance } from '../../../api/server/maintenance.ts'

export function maintenanceRoutes(app: FastifyInstance, { services: { maintenance } }: Context): void {
  mount(app, getMaintenance, ({ actor }) => maintenance.status(actor))

  mount(app, beginMaintenance, async ({ actor, body }) => await maintenance.begin(actor, body))

  mount(app, endMaintenance, async ({ actor }) => await maintenance.end(actor))
}

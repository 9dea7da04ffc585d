import type { FastifyInstance } from 'fastify'
import { listAudit } from '../../api/audit.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'

export function auditRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, listAudit, async ({ actor, query }) => await services.audit.page(actor, query))
}

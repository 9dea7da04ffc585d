import type { FastifyInstance } from 'fastify'
import { listQuotas, recountQuota } from '../../../api/access/quotas.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { idOf } from '../accounts/users.ts'

export function quotaRoutes(app: FastifyInstance, { services: { quotas } }: Context): void {
  mount(app, listQuotas, async ({ actor }) => await quotas.list(actor))

  mount(app, recountQuota, async ({ actor, params, signal }) => await quotas.recount(actor, idOf(params), signal))
}

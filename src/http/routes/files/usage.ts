import type { FastifyInstance } from 'fastify'
import { getUsage } from '../../../api/files/usage.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'

export function usageRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getUsage, async ({ actor, params, signal }) => await services.usage.of(actor, `/${params['*']}`, signal))
}

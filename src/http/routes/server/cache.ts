import type { FastifyInstance } from 'fastify'
import { clearCache, getCache } from '../../../api/server/cache.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'

export function cacheRoutes(app: FastifyInstance, { services }: Context): void {
  mount(app, getCache, async ({ actor }) => await services.previewCache.size(actor))
  mount(app, clearCache, async ({ actor }) => await services.previewCache.clear(actor))
}

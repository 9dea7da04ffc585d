import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { cacheHandlers } from '../../../operations/server/cache.ts'
import { mountHandler } from '../../mount.ts'

export function cacheRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, cacheHandlers.get)
  mountHandler(app, context, cacheHandlers.clear)
}

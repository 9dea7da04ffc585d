import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { OPERATIONS } from '../../api/index.ts'

async function guard(app: FastifyInstance): Promise<void> {
  const mounted = new Set<string>()

  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.operation !== undefined) mounted.add(config.operation.id)
    else if (config?.page !== true) throw new Error(`the route ${String(method)} ${url} has no operation`)
  })

  app.addHook('onReady', async () => {
    const missing = OPERATIONS.filter(({ id }) => !mounted.has(id)).map(({ id }) => id)
    if (missing.length > 0) throw new Error(`operations without a route: ${missing.join(', ')}`)
  })
}

/**
 * Default deny: a route that names no operation, and so has neither access nor rights, keeps the daemon from starting, as
 * does an operation without a route.
 */
export const operationGuard = fastifyPlugin(guard)

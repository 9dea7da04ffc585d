import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { live } from '../../api/server/server.ts'

/**
 * If daemons share the store, fetches their changes before each request, and replies 503 while the database is unreachable:
 * otherwise a session that another daemon has ended would stay valid here.
 */
export function freshStore(app: FastifyInstance, { store }: Context): void {
  if (store.refresh === undefined) return

  app.addHook('onRequest', async (request) => {
    const { page, operation } = request.routeOptions.config
    if (request.is404 || page === true || operation?.id === live.id) return
    await store.refresh?.()
  })
}

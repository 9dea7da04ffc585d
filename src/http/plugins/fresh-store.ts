import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { live } from '../../api/server/server.ts'

/**
 * Where other machines change the store too, no request is answered by what may be out of date: a session that another machine
 * has ended must not go on here while the database is away. Replies 503 then.
 */
export function freshStore(app: FastifyInstance, { store }: Context): void {
  if (store.refresh === undefined) return

  app.addHook('onRequest', async (request) => {
    const { page, operation } = request.routeOptions.config
    if (request.is404 || page === true || operation?.id === live.id) return
    await store.refresh?.()
  })
}

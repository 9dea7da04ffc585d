import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Operation } from '../../api/operation.ts'
import { live } from '../../api/server/server.ts'
import { openTerminal } from '../../api/automation/terminal.ts'

/**
 * If daemons share the store, fetches their changes before each request, and replies 503 while the database is unreachable:
 * otherwise a session that another daemon has ended would stay valid here. The operator may allow reads to go on for some time.
 */
export function freshStore(app: FastifyInstance, { store, options }: Context): void {
  if (store.refresh === undefined) return
  const outage = options.storeOutage * 1000

  app.addHook('onRequest', async (request) => {
    const { page, operation } = request.routeOptions.config
    if (request.is404 || page === true || operation?.id === live.id) return
    await store.refresh?.(isRead(operation) ? outage : 0)
  })
}

/** The terminal begins with a GET, but its programs may change anything. */
function isRead(operation: Operation | undefined): boolean {
  return operation?.method === 'GET' && operation.id !== openTerminal.id
}

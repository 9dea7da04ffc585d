import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../../api/operation.ts'
import { listShares } from '../../../api/shares/shares.ts'
import { sendJson } from '../../send/send.ts'

/** Old clients request this address for a path without shares, and expect an empty list. */
export function shareRoutes(app: FastifyInstance): void {
  const operation: Operation = listShares
  app.get('/api/shares/', { config: { operation, access: 'user' } }, (_, reply) => sendJson(reply, []))
}

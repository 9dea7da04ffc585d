import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../../api/operation.ts'
import type { Context } from '../../../context.ts'
import { shareHandlers } from '../../../operations/shares/shares.ts'
import { mountHandler } from '../../mount.ts'
import { sendJson } from '../../send/send.ts'

export function shareRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, shareHandlers.list)

  // Old clients request this address for a path without shares, and expect an empty list.
  const { operation }: { operation: Operation } = shareHandlers.list
  app.get('/api/shares/', { config: { operation, access: 'user' } }, (_, reply) => sendJson(reply, []))

  mountHandler(app, context, shareHandlers.get)
  mountHandler(app, context, shareHandlers.arrivals)
  mountHandler(app, context, shareHandlers.uploads)
  mountHandler(app, context, shareHandlers.cancelUpload)
  mountHandler(app, context, shareHandlers.update)
  mountHandler(app, context, shareHandlers.ofPath)
  mountHandler(app, context, shareHandlers.create)
  mountHandler(app, context, shareHandlers.remove)
}

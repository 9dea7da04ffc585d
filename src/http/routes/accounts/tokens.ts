import type { FastifyInstance } from 'fastify'
import { createToken } from '../../../api/accounts/tokens.ts'
import type { Context } from '../../../context.ts'
import { tokenHandlers } from '../../../operations/accounts/tokens.ts'
import { mount, mountHandler } from '../../mount.ts'

export function tokenRoutes(app: FastifyInstance, context: Context): void {
  mountHandler(app, context, tokenHandlers.list)
  mountHandler(app, context, tokenHandlers.revoke)
  mount(app, createToken, async (call) => {
    // The secret must not stay in a cache.
    void call.reply.header('cache-control', 'no-store')
    return await tokenHandlers.create.run(call, context)
  })
}

import type { FastifyInstance } from 'fastify'
import { getServer, updateServer } from '../../../api/server/server-options.ts'
import type { Context } from '../../../context.ts'
import { serverOptionHandlers } from '../../../operations/server/server-options.ts'
import { mount } from '../../mount.ts'

/** Start-up values. */
export function serverOptionRoutes(app: FastifyInstance, context: Context): void {
  const { serverOptions } = context.services

  mount(app, getServer, async (call) => {
    const values = await serverOptionHandlers.get.run(call, context)
    void call.reply.header('etag', serverOptions.etag())
    return values
  })

  mount(app, updateServer, async ({ actor, body, request, reply }) => {
    const conditions = { ifMatch: request.headers['if-match'], currentPassword: body.current_password }
    await serverOptions.replace(actor, body.values, conditions)
    void reply.header('etag', serverOptions.etag())
    return undefined
  })
}

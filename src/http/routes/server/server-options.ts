import type { FastifyInstance } from 'fastify'
import { getServer, updateServer } from '../../../api/server/server-options.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'

/** Start-up values. */
export function serverOptionRoutes(app: FastifyInstance, { services: { serverOptions } }: Context): void {
  mount(app, getServer, ({ actor, reply }) => {
    const values = serverOptions.get(actor)
    void reply.header('etag', serverOptions.etag())
    return values
  })

  mount(app, updateServer, async ({ actor, body, request, reply }) => {
    const conditions = { ifMatch: request.headers['if-match'], currentPassword: body.current_password }
    await serverOptions.replace(actor, body.values, conditions)
    void reply.header('etag', serverOptions.etag())
    return undefined
  })
}

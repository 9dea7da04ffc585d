import type { FastifyInstance } from 'fastify'
import { getServer, health, openapi, updateServer } from '../../api/server.ts'
import type { Context } from '../../context.ts'
import { baseOf } from '../base-url.ts'
import { mount } from '../mount.ts'
export function serverRoutes(app: FastifyInstance, { options, storage, version }: Context): void {
  mount(app, health, async ({ reply }) => {
    await storage.ready()
    // Old monitors compare the type too.
    void reply.removeHeader('cache-control').type('text/plain; charset=utf-8')
    return await reply.send('{"status":"OK"}')
  })

  let document: object | undefined
  mount(app, openapi, async () => {
    // Few ask for it, and nobody else waits for what it needs.
    const { openapiDocument } = await import('../openapi.ts')
    return (document ??= openapiDocument({ version, base: baseOf(options) }))
  })
}

/** Start-up values. */
export function serverOptionRoutes(app: FastifyInstance, { services: { serverOptions } }: Context): void {
  mount(app, getServer, ({ actor, reply }) => {
    const values = serverOptions.get(actor)
    void reply.header('etag', serverOptions.etag())
    return values
  })

  mount(app, updateServer, async ({ actor, body, request, reply }) => {
    const how = { ifMatch: request.headers['if-match'], currentPassword: body.current_password }
    await serverOptions.replace(actor, body.values, how)
    void reply.header('etag', serverOptions.etag())
    return undefined
  })
}

import type { FastifyInstance } from 'fastify'
import { getSettings, updateSettings } from '../../api/settings.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'

export function settingsRoutes(app: FastifyInstance, { services: { settings } }: Context): void {
  mount(app, getSettings, async ({ actor, reply }) => {
    void reply.header('etag', settings.etag())
    return await settings.get(actor)
  })

  mount(app, updateSettings, async ({ actor, body, request, reply }) => {
    await settings.replace(actor, body, { ifMatch: request.headers['if-match'] })
    void reply.header('etag', settings.etag())
    return undefined
  })
}

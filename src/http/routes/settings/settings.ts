import type { FastifyInstance } from 'fastify'
import {
  getAllSettings,
  getSettings,
  getSignInSettings,
  updateAllSettings,
  updateSettings,
  updateSignInSettings,
} from '../../../api/settings/settings.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'

export function settingsRoutes(app: FastifyInstance, { services: { settings, signInSettings } }: Context): void {
  mount(app, getSettings, async ({ actor, reply }) => {
    void reply.header('etag', settings.etag())
    return await settings.get(actor)
  })

  mount(app, updateSettings, async ({ actor, body, request, reply }) => {
    await settings.replace(actor, body, { ifMatch: request.headers['if-match'] })
    void reply.header('etag', settings.etag())
    return undefined
  })

  mount(app, getSignInSettings, async ({ actor }) => await signInSettings.get(actor))

  mount(app, updateSignInSettings, async ({ actor, body, peer }) => await signInSettings.change(actor, body, peer))
  mount(app, getAllSettings, ({ actor, reply }) => {
    const all = settings.getAll(actor)
    void reply.header('etag', settings.etag('all'))
    return all
  })

  mount(app, updateAllSettings, async ({ actor, body, request, reply }) => {
    await settings.replaceAll(actor, body, { ifMatch: request.headers['if-match'] })
    void reply.header('etag', settings.etag('all'))
    return undefined
  })
}

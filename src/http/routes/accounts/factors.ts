import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  addPasskey,
  askToConfirm,
  beginPasskey,
  beginTotp,
  checkTotp,
  enableTotp,
  forgetDevice,
  getFactors,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecovery,
} from '../../../api/accounts/factors.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { passkeySite } from '../../protocol/site.ts'

/** The second factors of the caller. Passkeys belong to the site that the browser shows. */
export function factorRoutes(app: FastifyInstance, { options, services: { confirmChange, factors } }: Context): void {
  const siteOf = (request: FastifyRequest) => passkeySite(request, options)

  mount(app, getFactors, ({ actor }) => factors.view(actor))

  mount(app, beginTotp, async ({ actor, body, request }) => await factors.beginTotp(actor, body, siteOf(request)))

  mount(app, checkTotp, async ({ actor, body }) => await factors.checkTotp(actor, body.code))

  mount(app, enableTotp, async ({ actor }) => {
    await factors.enableTotp(actor)
  })

  mount(app, removeTotp, async ({ actor, body, request }) => {
    await factors.removeTotp(actor, body, siteOf(request))
  })

  mount(app, askToConfirm, async ({ actor, request }) => await confirmChange.ask(actor, siteOf(request)))

  mount(app, beginPasskey, async ({ actor, body, request }) => await factors.beginPasskey(actor, body, siteOf(request)))

  mount(
    app,
    addPasskey,
    async ({ actor, body: { name, passkey }, request }) =>
      await factors.addPasskey(actor, name, passkey, siteOf(request)),
  )

  mount(app, renamePasskey, async ({ actor, params, body }) => {
    await factors.renamePasskey(actor, params.id, body.name)
  })

  mount(app, removePasskey, async ({ actor, params, body, request }) => {
    await factors.removePasskey(actor, params.id, body, siteOf(request))
  })

  mount(app, forgetDevice, async ({ actor, params }) => {
    await factors.forgetDevice(actor, params.id)
  })

  mount(
    app,
    renewRecovery,
    async ({ actor, body, request }) => await factors.renewRecovery(actor, body, siteOf(request)),
  )
}

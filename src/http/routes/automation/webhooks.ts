import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import {
  addWebhook,
  changeWebhook,
  listWebhooks,
  removeWebhook,
  testWebhook,
} from '../../../api/automation/webhooks.ts'

export function webhookRoutes(app: FastifyInstance, { services: { webhooks } }: Context): void {
  mount(app, listWebhooks, async ({ actor }) => await webhooks.list(actor))

  mount(app, addWebhook, async ({ actor, body }) => await webhooks.add(actor, body))

  mount(app, changeWebhook, async ({ actor, params, body }) => await webhooks.change(actor, params.id, body))

  mount(app, removeWebhook, async ({ actor, params }) => {
    await webhooks.remove(actor, params.id)
    return undefined
  })

  mount(app, testWebhook, async ({ actor, params, signal }) => await webhooks.test(actor, params.id, signal))
}

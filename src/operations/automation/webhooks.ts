import { addWebhook, changeWebhook, listWebhooks, removeWebhook, testWebhook } from '../../api/automation/webhooks.ts'
import { handler } from '../handler.ts'

export const webhookHandlers = {
  list: handler(listWebhooks, async ({ actor }, { services: { webhooks } }) => await webhooks.list(actor)),

  // The path of an address may be a secret.
  add: handler(
    addWebhook,
    async ({ actor, body }, { services: { webhooks } }) => await webhooks.add(actor, body),
    ({ body: { url } }) => (URL.canParse(url) ? new URL(url).origin : undefined),
  ),

  change: handler(
    changeWebhook,
    async ({ actor, params, body }, { services: { webhooks } }) => await webhooks.change(actor, params.id, body),
  ),

  remove: handler(removeWebhook, async ({ actor, params }, { services: { webhooks } }) => {
    await webhooks.remove(actor, params.id)
  }),

  test: handler(
    testWebhook,
    async ({ actor, params, signal }, { services: { webhooks } }) => await webhooks.test(actor, params.id, signal),
  ),
}

import { addHook, changeHook, listHooks, removeHook, testHook } from '../api/automation/hooks.ts'
import { cancelJob, getJob, listJobs } from '../api/automation/jobs.ts'
import { listNotices, seeNotices } from '../api/automation/notices.ts'
import { addWebhook, changeWebhook, listWebhooks, removeWebhook, testWebhook } from '../api/automation/webhooks.ts'
import { handler } from './handler.ts'

export const automationHandlers = [
  handler(listHooks, ({ actor }, { services: { hooks } }) => hooks.list(actor)),

  handler(
    addHook,
    async ({ actor, body }, { services: { hooks } }) => await hooks.add(actor, body),
    ({ body }) => body.event,
  ),

  handler(
    changeHook,
    async ({ actor, params, body }, { services: { hooks } }) => await hooks.change(actor, params.id, body),
  ),

  handler(removeHook, async ({ actor, params }, { services: { hooks } }) => {
    await hooks.remove(actor, params.id)
  }),

  handler(
    testHook,
    async ({ actor, params, signal }, { services: { hooks } }) => await hooks.test(actor, params.id, signal),
  ),

  handler(listWebhooks, async ({ actor }, { services: { webhooks } }) => await webhooks.list(actor)),

  // The path of an address may be a secret.
  handler(
    addWebhook,
    async ({ actor, body }, { services: { webhooks } }) => await webhooks.add(actor, body),
    ({ body: { url } }) => (URL.canParse(url) ? new URL(url).origin : undefined),
  ),

  handler(
    changeWebhook,
    async ({ actor, params, body }, { services: { webhooks } }) => await webhooks.change(actor, params.id, body),
  ),

  handler(removeWebhook, async ({ actor, params }, { services: { webhooks } }) => {
    await webhooks.remove(actor, params.id)
  }),

  handler(
    testWebhook,
    async ({ actor, params, signal }, { services: { webhooks } }) => await webhooks.test(actor, params.id, signal),
  ),

  handler(
    listJobs,
    async ({ actor, query }, { services: { jobs } }) => await jobs.list(actor, { all: query.all === true }),
  ),

  handler(getJob, async ({ actor, params }, { services: { jobs } }) => await jobs.find(actor, params.id)),

  handler(cancelJob, async ({ actor, params }, { services: { jobs } }) => {
    await jobs.cancel(actor, params.id)
  }),

  handler(listNotices, async ({ actor }, { services: { notices } }) => await notices.list(actor)),

  handler(seeNotices, async ({ actor, body }, { services: { notices } }) => {
    await notices.see(actor, body.until)
  }),
]

import { Type } from 'typebox'
import {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookResult,
  WebhookWithSecret,
} from '../../domain/automation/webhook.ts'
import { operation } from '../operation.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })

export const listWebhooks = operation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/api/webhooks',
  access: 'admin',
  summary: 'Addresses that are notified of file operations, and the results',
  replies: { 200: Type.Array(Webhook), 403: null },
})

export const addWebhook = operation({
  id: 'webhooks.add',
  method: 'POST',
  path: '/api/webhooks',
  access: 'admin',
  summary: 'Add a webhook; the reply contains its secret, which is not shown again',
  body: NewWebhook,
  replies: { 200: WebhookWithSecret, 400: null, 403: null, 409: null },
})

export const changeWebhook = operation({
  id: 'webhooks.change',
  method: 'PATCH',
  path: '/api/webhooks/:id',
  access: 'admin',
  summary: 'Change a webhook, or its secret; queued events are sent at once',
  params,
  body: WebhookChange,
  replies: { 200: WebhookWithSecret, 400: null, 403: null, 404: null },
})

export const removeWebhook = operation({
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/api/webhooks/:id',
  access: 'admin',
  summary: 'Remove a webhook and the events that wait for it',
  params,
  replies: { 204: null, 403: null, 404: null },
})

export const testWebhook = operation({
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/webhooks/:id/test',
  access: 'admin',
  summary: 'Send a ping at once, without retries, and return the result',
  params,
  replies: { 200: WebhookResult, 403: null, 404: null },
})

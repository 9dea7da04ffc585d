import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import { cancelled, fail } from '../../../domain/errors.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import {
  MAX_WEBHOOKS,
  type NewWebhook,
  parseWebhookUrl,
  type StoredWebhook,
  type Webhook,
  WEBHOOK_EVENTS,
  type WebhookChange,
  type WebhookResult,
  type WebhookState,
  type WebhookWithSecret,
} from '../../../domain/automation/webhook.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { newSecret, addressProblem } from './webhook-request.ts'
import type { WebhookSender } from './webhook-sender.ts'

export interface WebhooksDeps {
  readonly store: Store<StoreDocument>
  readonly options: Pick<ServerOptions, 'webhookHosts'>
  readonly sender: Pick<WebhookSender, 'ping' | 'states'>
  readonly random: Random
}

/** The webhooks of the installation, for administrators. All functions throw FORBIDDEN, and NOT_FOUND for an unknown id. */
export function createWebhooks({ store, options, sender, random }: WebhooksDeps) {
  /** @throws INVALID_INPUT naming the field */
  const requireUsable = (text: string): string => {
    const url = parseWebhookUrl(text)
    const problem = addressProblem(url, options)
    return problem === undefined ? url.href : fail('INVALID_INPUT', problem, { field: 'url' })
  }

  async function list(actor: Actor): Promise<Webhook[]> {
    requireAdmin(actor, 'settings.manage')
    const states = await sender.states()
    return store.snapshot().webhooks.map((webhook) => viewOf(webhook, states.get(webhook.id)))
  }

  /** @returns the webhook with its secret, which is not shown again. @throws INVALID_INPUT, CONFLICT for too many webhooks */
  async function add(
    actor: Actor,
    { url, name = '', events = [...WEBHOOK_EVENTS] }: NewWebhook,
  ): Promise<WebhookWithSecret> {
    requireAdmin(actor, 'settings.manage')
    const secret = newSecret(random)
    const webhook = { id: random.token(6), url: requireUsable(url), name, events, enabled: true, secret }
    await store.update(({ webhooks }, now) => {
      requireAdmin(actor, 'settings.manage', now)
      if (webhooks.length >= MAX_WEBHOOKS) {
        fail('CONFLICT', `there are ${MAX_WEBHOOKS} webhooks already; remove one first`, { reason: 'maximum' })
      }
      webhooks.push(webhook)
    })
    return { ...viewOf(webhook), secret }
  }

  /** Queued events are sent to the new address at once. @throws INVALID_INPUT */
  async function change(
    actor: Actor,
    id: string,
    { url, name, events, enabled, newSecret: isRenewed = false }: WebhookChange,
  ): Promise<WebhookWithSecret> {
    requireAdmin(actor, 'settings.manage')
    const address = url === undefined ? undefined : requireUsable(url)
    const secret = isRenewed ? newSecret(random) : undefined
    const changed = await store.update(({ webhooks }, now) => {
      requireAdmin(actor, 'settings.manage', now)
      const webhook = requireWebhook(webhooks, id)
      webhook.url = address ?? webhook.url
      webhook.name = name ?? webhook.name
      webhook.events = events ?? webhook.events
      webhook.enabled = enabled ?? webhook.enabled
      webhook.secret = secret ?? webhook.secret
      return webhook
    })
    const view = viewOf(changed, (await sender.states()).get(id))
    return secret === undefined ? view : { ...view, secret }
  }

  async function remove(actor: Actor, id: string): Promise<void> {
    requireAdmin(actor, 'settings.manage')
    await store.update((draft, now) => {
      requireAdmin(actor, 'settings.manage', now)
      requireWebhook(draft.webhooks, id)
      draft.webhooks = draft.webhooks.filter((webhook) => webhook.id !== id)
    })
  }

  /** Sends a ping, also while the webhook is disabled. @throws CANCELLED */
  async function test(actor: Actor, id: string, signal?: AbortSignal): Promise<WebhookResult> {
    requireAdmin(actor, 'settings.manage')
    const webhook = requireWebhook(store.snapshot().webhooks, id)
    const username = actor.kind === 'user' ? actor.username : 'operator'
    const result = await sender.ping(webhook, username, signal)
    if (result === undefined) throw cancelled()
    return result
  }

  return { list, add, change, remove, test }
}

function requireWebhook<W extends Readonly<StoredWebhook>>(webhooks: readonly W[], id: string): W {
  return (
    webhooks.find((webhook) => webhook.id === id) ??
    fail('NOT_FOUND', `there is no webhook ${id}; see "filemgr webhooks ls"`)
  )
}

function viewOf({ id, url, name, events, enabled }: Readonly<StoredWebhook>, state?: WebhookState): Webhook {
  const { deliveries = [], failures = 0, lost = 0, last = null } = state ?? {}
  return { id, url, name, events, enabled, waiting: deliveries.length, failures, lost, last }
}

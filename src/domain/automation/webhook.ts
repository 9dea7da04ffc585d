import { Type, type Static } from 'typebox'
import { fail } from '../errors.ts'
import { HOOKED, type Hooked } from './hook.ts'

/** Events of webhooks, named like those of hooks. Only a program can run before an operation and refuse it. */
export const WEBHOOK_EVENTS = HOOKED.map((event) => `after_${event}` as const)
export type WebhookEvent = `after_${Hooked}`
/** What `webhooks test` sends. */
export const PING = 'ping'

export const MAX_WEBHOOKS = 20

const FIELDS = {
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'http or https, without user name and password' }),
  name: Type.String({ maxLength: 100, description: 'For people; may be empty' }),
  events: Type.Array(Type.Enum(WEBHOOK_EVENTS), {
    minItems: 1,
    maxItems: WEBHOOK_EVENTS.length,
    description: 'All, if omitted in a new webhook',
  }),
  enabled: Type.Boolean(),
}

/** As it is stored. */
export const StoredWebhook = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  ...FIELDS,
  secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/=]{32,88}$' }),
})
export type StoredWebhook = Static<typeof StoredWebhook>

export const NewWebhook = Type.Object({
  url: FIELDS.url,
  name: Type.Optional(FIELDS.name),
  events: Type.Optional(FIELDS.events),
})
export type NewWebhook = Static<typeof NewWebhook>

/** Absent fields stay unchanged. */
export const WebhookChange = Type.Object({
  ...Type.Partial(Type.Object(FIELDS)).properties,
  newSecret: Type.Optional(Type.Boolean({ description: 'Replaces the secret at once and returns the new one' })),
})
export type WebhookChange = Static<typeof WebhookChange>

/** How one request to a receiver ended. */
export const WebhookResult = Type.Object({
  outcome: Type.Enum(['accepted', 'refused', 'timeout', 'unreachable', 'blocked'], {
    description:
      'accepted: a status from 200 to 299; refused: another one; blocked: not sent, because its address is not allowed',
  }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null without an answer' }),
  detail: Type.String({ description: 'Such as ECONNREFUSED; may be empty' }),
})
export type WebhookResult = Static<typeof WebhookResult>

const LastResult = Type.Object({ at: Type.String({ description: 'ISO 8601, UTC' }), ...WebhookResult.properties })

const COUNTS = {
  waiting: Type.Integer({ description: 'Events that are still to be sent, or sent again' }),
  failures: Type.Integer({ description: 'Failed requests since the last accepted one' }),
  lost: Type.Integer({ description: 'Events that were given up, or found no room' }),
}

/** As administrators see it. */
export const Webhook = Type.Object({
  id: StoredWebhook.properties.id,
  ...FIELDS,
  ...COUNTS,
  last: Type.Union([LastResult, Type.Null()], { description: 'Of the latest request; null before the first' }),
})
export type Webhook = Static<typeof Webhook>

/** The secret is shown only in the answer that creates it. */
export const WebhookWithSecret = Type.Object({
  ...Webhook.properties,
  secret: Type.Optional(Type.String({ description: 'Only when it is new' })),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

/** An event on its way to one receiver. */
const Delivery = Type.Object({
  id: Type.String(),
  body: Type.String(),
  /** Requests that failed. */
  attempts: Type.Integer(),
  /** When to try next, in milliseconds since 1970. */
  due: Type.Integer(),
})
export type Delivery = Static<typeof Delivery>

/** The state of a webhook besides its configuration, saved so that a restart loses no event. */
export const WebhookState = Type.Object({
  id: StoredWebhook.properties.id,
  deliveries: Type.Array(Delivery),
  failures: COUNTS.failures,
  lost: COUNTS.lost,
  last: Webhook.properties.last,
})
export type WebhookState = Static<typeof WebhookState>

/** Merges the states of two daemons for one webhook. */
export function mergedState(a: WebhookState, b: WebhookState): WebhookState {
  const [earlier, later] = (a.last?.at ?? '') > (b.last?.at ?? '') ? [b, a] : [a, b]
  return {
    id: a.id,
    deliveries: [...earlier.deliveries, ...later.deliveries],
    failures: later.failures,
    lost: a.lost + b.lost,
    last: later.last,
  }
}

/** Merges the states of all daemons, by webhook. */
export function mergedStates(states: Iterable<WebhookState>): Map<string, WebhookState> {
  const merged = new Map<string, WebhookState>()
  for (const state of states) {
    const known = merged.get(state.id)
    merged.set(state.id, known === undefined ? state : mergedState(known, state))
  }
  return merged
}

/**
 * The address of a receiver. A password in it would be shown to all administrators and printed in logs.
 *
 * @throws INVALID_INPUT
 */
export function parseWebhookUrl(text: string): URL {
  const refuse = (problem: string) => fail('INVALID_INPUT', problem, { field: 'url' })
  if (!URL.canParse(text)) refuse('the address of a webhook must be a URL such as https://example.org/hook')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('the address of a webhook must be http or https')
  if (url.username !== '' || url.password !== '') {
    refuse('the address of a webhook cannot contain a user name or password; let the receiver check the signature')
  }
  return url
}

/** For people: "answered 500". */
export function describeResult({ outcome, status, detail }: WebhookResult): string {
  switch (outcome) {
    case 'accepted':
    case 'refused':
      return `answered ${String(status)}`
    case 'timeout':
      return 'did not answer in time'
    case 'unreachable':
      return `cannot be reached (${detail})`
    case 'blocked':
      return `not allowed: ${detail}`
  }
}

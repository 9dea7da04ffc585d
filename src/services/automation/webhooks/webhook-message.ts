import { createHmac } from 'node:crypto'
import { encodePath, wellFormedText } from '../../../domain/files/name-text.ts'
import { below, cleanVirtualPath, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { PING, StoredWebhook, WebhookEvent } from '../../../domain/automation/webhook.ts'
import type { Random } from '../../../platform/security/random.ts'

/** A file operation, as it is reported to webhooks. */
export interface WebhookFacts {
  readonly user: { readonly username: string; readonly scope: string }
  /** In the scope of the user. */
  readonly path: VirtualPath
  readonly destination?: VirtualPath | undefined
  /** The name given by the visitor who does it through a public link of the user; "" if the link did not ask. */
  readonly visitor?: string | undefined
}

/**
 * The body of an event, in the form of Standard Webhooks: `{"type":"after_rename","timestamp":"…","data":{"user":"ann",
 * "path":"/docs/a.txt","destination":"/docs/b.txt"}}`. Paths are those in the served folder. One that is not UTF-8 is also sent
 * as in addresses, which gives its bytes.
 */
export function eventBody(type: WebhookEvent, facts: WebhookFacts, now: number): string {
  const { user, path, destination, visitor } = facts
  const scope = cleanVirtualPath(user.scope)
  return bodyOf(type, now, {
    user: user.username,
    ...pathFields('path', 'encodedPath', below(scope, path)),
    ...(destination !== undefined && pathFields('destination', 'encodedDestination', below(scope, destination))),
    ...(visitor !== undefined && { visitor }),
  })
}

function pathFields(name: string, encodedName: string, path: VirtualPath): Record<string, string> {
  return { [name]: path, ...(!path.isWellFormed() && { [encodedName]: encodePath(path) }) }
}

/** The body of `webhooks test`. */
export function pingBody(type: typeof PING, user: string, now: number): string {
  return bodyOf(type, now, { user })
}

/** Many receivers refuse JSON with lone surrogates: they would never get the message. */
function bodyOf(type: string, now: number, data: Readonly<Record<string, string>>): string {
  return JSON.stringify({ type, timestamp: new Date(now).toISOString(), data }, (_, value: unknown) =>
    typeof value === 'string' ? wellFormedText(value) : value,
  )
}

const SECRET_PREFIX = 'whsec_'

/** 32 random bytes, as Standard Webhooks writes them. */
export function newSecret(random: Pick<Random, 'token'>): string {
  return SECRET_PREFIX + Buffer.from(random.token(32), 'base64url').toString('base64')
}

export interface SignedMessage {
  /** The same for every attempt, so that receivers can ignore repetitions. */
  readonly id: string
  readonly body: string
}

/** The headers of Standard Webhooks. The time is that of the request, so that receivers can refuse old ones. */
export function signedHeaders(
  { id, body }: SignedMessage,
  { secret }: Pick<StoredWebhook, 'secret'>,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

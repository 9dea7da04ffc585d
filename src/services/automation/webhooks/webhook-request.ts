import { isFilemgrError } from '../../../domain/errors.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import {
  parseWebhookUrl,
  type StoredWebhook,
  type WebhookResult,
  type PING,
  type WebhookEvent,
} from '../../../domain/automation/webhook.ts'
import type { Clock } from '../../../platform/clock.ts'
import { postJson, isPublicAddress } from '../../../platform/network/post-json.ts'
import { createHmac } from 'node:crypto'
import { encodePath, wellFormedText } from '../../../domain/files/name-text.ts'
import { below, cleanVirtualPath, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { FILES_ROOT } from '../../../domain/server/root.ts'
import type { Random } from '../../../platform/security/random.ts'

type HostOptions = Pick<ServerOptions, 'webhookHosts'>

export interface WebhookRequestDeps {
  readonly options: HostOptions
  readonly clock: Clock
  readonly post?: typeof postJson
}

/** Sends a message once. Resolves to undefined if it was cancelled; never rejects. */
export type WebhookRequest = (
  webhook: StoredWebhook,
  message: SignedMessage,
  signal: AbortSignal,
) => Promise<WebhookResult | undefined>

/** Milliseconds. */
const TIMEOUT = 10_000

export function createWebhookRequest({ options, clock, post = postJson }: WebhookRequestDeps): WebhookRequest {
  return async (webhook, message, signal) => {
    const url = usableUrl(webhook)
    if (typeof url === 'string') return { outcome: 'blocked', status: null, detail: url }
    const headers = { ...signedHeaders(message, webhook, clock.now()), 'user-agent': 'filemgr' }
    const isPrivateAllowed = isListed(url, options)
    const result = await post({ url, headers, body: message.body, timeout: TIMEOUT, isPrivateAllowed, signal })
    switch (result.kind) {
      case 'answered': {
        const { status } = result
        return { outcome: status >= 200 && status <= 299 ? 'accepted' : 'refused', status, detail: '' }
      }
      case 'private':
        return { outcome: 'blocked', status: null, detail: privateAdvice(url, result.detail) }
      case 'cancelled':
        return undefined
      default:
        return { outcome: result.kind, status: null, detail: result.detail }
    }
  }
}

/** Checked before each request: a restored or edited store may contain any text. @returns the problem if it is unusable */
function usableUrl({ url }: Pick<StoredWebhook, 'url'>): URL | string {
  try {
    return parseWebhookUrl(url)
  } catch (error) {
    if (!isFilemgrError(error)) throw error
    return error.message
  }
}

/** Only the operator of the machine decides which private hosts the daemon sends requests to, as with captcha services. */
function isListed({ host, hostname }: URL, { webhookHosts }: HostOptions): boolean {
  return webhookHosts.includes(host) || webhookHosts.includes(hostname)
}

function privateAdvice({ host }: URL, address: string): string {
  return `${address} is a private address; to allow it, start the server with --webhook-hosts ${host}`
}

/** Why a URL with an IP address cannot be used. Host names are checked when a request resolves them. */
export function addressProblem(url: URL, options: HostOptions): string | undefined {
  const address = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = /^[\d.]+$/.test(address) || address.includes(':')
  if (!isAddress || isListed(url, options) || isPublicAddress(address)) return undefined
  return privateAdvice(url, address)
}

interface WebhookFolder {
  readonly scope: string
  /** The name of the root that has the scope; undefined for `files`. */
  readonly root?: string | undefined
}

/** A file operation, as it is reported to webhooks. */
export interface WebhookFacts {
  readonly user: { readonly username: string } & WebhookFolder
  /** In the scope of the user. */
  readonly path: VirtualPath
  readonly destination?: VirtualPath | undefined
  /** Where the destination is, if that is another place. */
  readonly into?: WebhookFolder | undefined
  /** The name given by the visitor who does it through a public link of the user; "" if the link did not ask. */
  readonly visitor?: string | undefined
}

/**
 * The body of an event, in the form of Standard Webhooks: `{"type":"after_rename","timestamp":"…","data":{"user":"ann",
 * "path":"/docs/a.txt","destination":"/docs/b.txt"}}`. Paths are those in the served folder, or in the root that `root` names. One that is not UTF-8 is also sent
 * as in addresses, which gives its bytes.
 */
export function eventBody(type: WebhookEvent, facts: WebhookFacts, now: number): string {
  const { user, path, destination, into = user, visitor } = facts
  return bodyOf(type, now, {
    user: user.username,
    ...(user.root !== undefined && { root: user.root }),
    ...pathFields('path', 'encodedPath', inRoot(user, path)),
    ...(into.root !== user.root && { destinationRoot: into.root ?? FILES_ROOT }),
    ...(destination !== undefined && pathFields('destination', 'encodedDestination', inRoot(into, destination))),
    ...(visitor !== undefined && { visitor }),
  })
}

function inRoot({ scope }: WebhookFolder, path: VirtualPath): VirtualPath {
  return below(cleanVirtualPath(scope), path)
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

interface SignedMessage {
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

import { isFilemgrError } from '../../../domain/errors.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { parseWebhookUrl, type StoredWebhook, type WebhookResult } from '../../../domain/automation/webhook.ts'
import type { Clock } from '../../../platform/clock.ts'
import { postJson, isPublicAddress } from '../../../platform/network/post-json.ts'
import { signedHeaders, type SignedMessage } from './webhook-message.ts'

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

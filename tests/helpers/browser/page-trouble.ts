import type { BrowserContext, ConsoleMessage } from 'playwright-core'

/** A sentence about what a page must not do. */
export type Trouble = string

interface Allowed {
  /** Of the page itself, and what else it may ask. */
  readonly origins: readonly string[]
  readonly expectedStatuses: readonly number[]
  readonly cutsConnections: boolean
}

/** Collects whatever a healthy page never does, for as long as the context lives. Other origins get no answer. */
export async function watchForTrouble(
  context: BrowserContext,
  { origins, expectedStatuses, cutsConnections }: Allowed,
): Promise<readonly Trouble[]> {
  const trouble: Trouble[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' || isExpected(message, expectedStatuses)) return
    if (cutsConnections && CUT.test(message.text())) return
    trouble.push(`logged: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => {
    const { message } = error.error()
    if (!cutsConnections || !LOST_PART.test(message)) trouble.push(`threw: ${message}`)
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin))
      trouble.push(`asked another origin: ${url.href}`)
  })
  return trouble
}

/** What Chromium logs of a request that lost its connection. */
const CUT =
  /net::ERR_(FAILED|INTERNET_DISCONNECTED|NETWORK_CHANGED|CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/

/** What is told of a part of the page that could not be fetched. */
const LOST_PART = /^(Unable to preload CSS|Failed to fetch dynamically imported module)/

/** Chromium logs every answer of 400 and above. */
function isExpected(message: ConsoleMessage, statuses: readonly number[]): boolean {
  const status = /the server responded with a status of (\d+)/.exec(message.text())?.[1]
  return status !== undefined && statuses.includes(Number(status))
}

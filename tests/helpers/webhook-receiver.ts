import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: object }
}

/** A receiver of webhooks that answers with these statuses, the last one for all further requests. */
export async function webhookReceiver(...statuses: number[]) {
  const messages: ReceivedMessage[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      messages.push({ headers: request.headers, body, event: JSON.parse(body) as ReceivedMessage['event'] })
      response.writeHead(statuses[Math.min(messages.length, statuses.length) - 1] ?? 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/hook`,
    messages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether a receiver that knows the secret would trust the message. */
export function isSignedWith(secret: string, { headers, body }: ReceivedMessage): boolean {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

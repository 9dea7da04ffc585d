import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Client } from './test-app.ts'

/** A running request over a real connection. */
export interface OpenRequest extends Disposable {
  readonly sent: ClientRequest
  /** The head of the reply; its body is not read. */
  readonly answer: Promise<IncomingMessage>
  /** Resolves when the connection is closed; true if the reply was complete. */
  readonly ended: Promise<boolean>
}

/**
 * Starts a request and keeps it open: the reply is not read, and a body continues until `sent.end()`.
 *
 * @param body its first bytes; without them the request has no body
 */
export async function openRequest(
  app: FastifyInstance,
  { token }: Pick<Client, 'token'>,
  method: string,
  path: string,
  { body, headers }: { readonly body?: string | Buffer; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<OpenRequest> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { 'x-auth': token, ...headers },
    agent: false,
  })
  const answer = once(sent, 'response').then(([head]) => head as IncomingMessage)
  answer.catch(() => undefined)
  sent.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => sent.once('close', () => resolve()))
  const ended = closed.then(async () => (await answer.catch(() => undefined))?.complete ?? false)
  if (body === undefined) sent.end()
  else sent.write(body)
  return { sent, answer, ended, [Symbol.dispose]: () => void sent.destroy() }
}

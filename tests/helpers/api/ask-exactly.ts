import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { Ask } from './test-app.ts'

/** Sends a request over a real connection, with the address unchanged: `inject` would resolve ".." and ".". */
export function askExactly(app: FastifyInstance): Ask {
  return async (method, url, { payload, headers } = {}) => {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const sent = request({ host: '127.0.0.1', port, method: String(method), path: url, headers: { ...headers } })
    sent.end(payload)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const rawPayload = await buffer(answer)
    const body = rawPayload.toString()
    return {
      statusCode: answer.statusCode ?? 0,
      headers: answer.headers,
      body,
      rawPayload,
      json: () => JSON.parse(body) as never,
    }
  }
}

import { once } from 'node:events'
import { request as requestByHttp, type IncomingMessage } from 'node:http'
import { request as requestByHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import type { Ask } from './test-app.ts'

/** Sends a request over a real connection, with the address unchanged: `inject` would resolve ".." and ".". */
export function askExactly(app: FastifyInstance): Ask {
  return async (method, url, extras) => {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return await askAt(`http://127.0.0.1:${port}`)(method, url, extras)
  }
}

/** Sends requests over real connections. @param ca the authority of its certificate */
export function askAt(origin: string, ca?: Buffer): Ask {
  const { hostname, port, protocol } = new URL(origin)
  const request = protocol === 'https:' ? requestByHttps : requestByHttp
  return async (method, url, { payload, headers } = {}) => {
    const sent = request({ host: hostname, port, ca, method: String(method), path: url, headers: { ...headers } })
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

import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

interface FixedReply {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** A local reverse proxy in front of a daemon. Stopped when disposed. */
export interface ReverseProxy extends AsyncDisposable {
  /** Includes the base path of the daemon and ends with a slash. */
  readonly url: string
  /** Sets these headers on every request from now on, overriding those of the sender. */
  send(headers: IncomingHttpHeaders): void
  /** Answers requests for this path itself from now on. */
  answer(path: string, reply: FixedReply): void
}

/** @param target address of the daemon */
export async function startReverseProxy(target: string): Promise<ReverseProxy> {
  const { hostname, port, pathname } = new URL(target)
  let added: IncomingHttpHeaders = {}
  const own = new Map<string | undefined, FixedReply>()
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming
    const given = own.get(path)
    if (given !== undefined) {
      const sent = { 'content-type': given.type, 'service-worker-allowed': pathname, 'cache-control': 'no-cache' }
      answer.writeHead(given.status, sent).end(given.body)
      return
    }
    const outgoing = request({ hostname, port, method, path, headers: { ...headers, ...added } }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      void pipeline(response, answer).catch(() => answer.destroy())
    })
    outgoing.on('error', () => answer.destroy())
    answer.on('close', () => outgoing.destroy())
    void pipeline(incoming, outgoing).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ownPort = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${ownPort}${pathname}`,
    send: (headers) => void (added = headers),
    answer: (path, reply) => void own.set(path, reply),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

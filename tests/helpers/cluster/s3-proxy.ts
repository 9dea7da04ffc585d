import { once } from 'node:events'
import { createServer, type IncomingMessage, request as passOn, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Server } from './s3-server.ts'

export type S3Operation =
  'LIST' | 'HEAD' | 'GET' | 'PUT' | 'COPY' | 'PART' | 'CREATE' | 'COMPLETE' | 'DELETE' | 'DELETE MANY' | 'OTHER'

export interface SeenRequest {
  readonly operation: S3Operation
  /** The key; of a listing, its prefix. */
  readonly key: string
  /** Of a listing: the key after which it begins. */
  readonly after?: string
}

/** Between daemons and an S3 server: notes each request, and can make it wait or answer it. */
export interface S3Proxy extends AsyncDisposable {
  /** Environment variables for clients of the proxy. */
  readonly env: Readonly<Record<string, string>>
  readonly seen: SeenRequest[]
  /** Called before a request is passed on, which waits for it. It can answer the request instead. */
  before: (seen: SeenRequest, response: ServerResponse) => Promise<void> | void
}

export async function startS3Proxy(server: Pick<S3Server, 'env' | 'bucket'>): Promise<S3Proxy> {
  const target = new URL(server.env['AWS_ENDPOINT_URL'] ?? '')
  const http = createServer((incoming, response) => void forward(incoming, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const proxy: S3Proxy = {
    env: { ...server.env, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` },
    seen: [],
    before: () => undefined,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = seenIn(incoming, server.bucket)
    proxy.seen.push(seen)
    await proxy.before(seen, response)
    if (response.headersSent || response.destroyed) return
    const { method, url, headers } = incoming
    const further = passOn({ host: target.hostname, port: target.port, method, path: url, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.rawHeaders)
      reply.pipe(response)
    })
    further.once('error', () => response.destroy())
    incoming.pipe(further)
  }

  return proxy
}

/** The request is passed on all the same. */
export function loseAnswer(response: ServerResponse): void {
  response.write = () => !response.destroy().destroyed
  response.end = () => response.destroy()
}

function seenIn({ method = '', url = '', headers }: IncomingMessage, bucket: string): SeenRequest {
  const { pathname, searchParams: query } = new URL(url, 'http://s3')
  const key = decodeURIComponent(pathname).slice(`/${bucket}/`.length)
  if (query.has('list-type'))
    return { operation: 'LIST', key: query.get('prefix') ?? '', after: query.get('start-after') ?? '' }
  if (query.has('delete')) return { operation: 'DELETE MANY', key }
  if (query.has('uploads')) return { operation: method === 'POST' ? 'CREATE' : 'OTHER', key }
  if (query.has('partNumber')) return { operation: 'PART', key }
  if (query.has('uploadId')) return { operation: method === 'POST' ? 'COMPLETE' : 'OTHER', key }
  if (query.has('tagging') || query.has('versioning')) return { operation: 'OTHER', key }
  if (headers['x-amz-copy-source'] !== undefined) return { operation: 'COPY', key }
  return { operation: method as 'HEAD' | 'GET' | 'PUT' | 'DELETE', key }
}

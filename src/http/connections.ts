import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyServerFactory } from 'fastify'
import { FOR_REFUSED } from '../platform/limits/descriptors.ts'
import type { TlsFiles } from '../platform/network/tls-files.ts'

/** Milliseconds between checks for idle connections. */
const CHECK_INTERVAL = 100

/**
 * The servers of an application, one per address of its host name, and all their connections. Node itself no longer tracks
 * connections after an upgrade request: WebSockets, and upgrades that were refused.
 */
export class Connections {
  readonly #options: ServerOptions & Partial<TlsFiles>
  readonly #servers: Server[] = []
  readonly #open = new Set<Socket>()
  /** Without those that are refused, and those that still negotiate TLS. */
  readonly #served = new Set<Socket>()
  readonly #max: number
  #isLeaving = false

  /**
   * @param options with a certificate, the servers use TLS
   * @param max requests on further connections are answered with 503. The attack is to open so many that the process has no
   *   descriptor left: the kernel would then reset new connections, and no file could be opened
   */
  constructor(options: ServerOptions & Partial<TlsFiles>, max = Infinity) {
    this.#options = options
    this.#max = max
  }

  /** For the framework, which creates one server per address. */
  readonly createServer: FastifyServerFactory = (handler, { keepAliveTimeout, connectionTimeout }) => {
    const options = { ...this.#options, keepAliveTimeout: keepAliveTimeout as number }
    const answer: typeof handler = (request, response) => {
      if (!this.#served.has(request.socket)) {
        refuse(request, response)
        return
      }
      // The next request comes by a connection of its own: descriptors are scarce, or another process will take it.
      if (this.#isLeaving || this.#served.size > this.#max / 2) response.shouldKeepAlive = false
      handler(request, response)
    }
    const isPlain = options.cert === undefined
    const server = isPlain ? createServer(options, answer) : createTlsServer(options, answer)
    server.setTimeout(connectionTimeout as number)
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      if (this.#open.size > this.#max + FOR_REFUSED) drop(socket, isPlain)
    })
    server.on(isPlain ? 'connection' : 'secureConnection', (socket: Socket) => {
      if (this.#served.size >= this.#max) {
        socket.setTimeout(REFUSAL_TIME)
        return
      }
      this.#served.add(socket)
      socket.once('close', () => this.#served.delete(socket))
    })
    this.#servers.push(server)
    return server
  }

  /** Applies to new connections. Does nothing without TLS. */
  renewCertificate(tls: TlsFiles): void {
    for (const server of this.#servers) if (server instanceof TlsServer) server.setSecureContext(tls)
  }

  /**
   * Leaves new connections to the other processes that listen on the port, and ends each open one with its next answer.
   *
   * @param time milliseconds that clients have to send another request by connections that they keep open
   */
  async leave(time: number): Promise<void> {
    this.#isLeaving = true
    // That of HTTP would cut connections on which a request may be under way.
    for (const server of this.#servers) NetServer.prototype.close.call(server)
    const end = performance.now() + time
    while (this.#open.size > 0 && performance.now() < end) await pause(CHECK_INTERVAL)
  }

  /**
   * Closes the application. Running requests get `grace` milliseconds, then their connections are cut: a client that never
   * finishes its body would prevent the daemon from stopping.
   */
  async close(app: { close(): Promise<unknown> }, grace: number): Promise<void> {
    // Connections that become idle from now on would stay open for another request.
    const idle = setInterval(() => this.#servers.forEach((server) => server.closeIdleConnections()), CHECK_INTERVAL)
    const overdue = setTimeout(() => this.#open.forEach((socket) => socket.destroy()), grace)
    await app.close()
    for (const socket of this.#open) if (!socket.closed) await once(socket, 'close')
    clearInterval(idle)
    clearTimeout(overdue)
  }
}

/** Milliseconds, and bytes, that are read of a request on a refused connection before the answer. */
const REFUSAL_TIME = 1000
const MAX_READ = 1024 * 1024

const REFUSAL = '503 Service Unavailable (too many connections: try again in a moment)\n'
const REFUSAL_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Length': String(REFUSAL.length),
  'Retry-After': '1',
  Connection: 'close',
}

/** Reads the body first: closing a connection with unread bytes resets it, and the client might not see the answer. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const answer = () => {
    clearTimeout(overdue)
    if (!response.headersSent) response.writeHead(503, REFUSAL_HEADERS).end(REFUSAL)
  }
  const overdue = setTimeout(answer, REFUSAL_TIME)
  let left = MAX_READ
  request.on('data', (part: Buffer) => {
    left -= part.length
    if (left < 0) answer()
  })
  request.once('end', answer).once('close', () => clearTimeout(overdue))
}

/** There is no descriptor for a request that may never come: the connection is closed at once, over TLS without an answer. */
function drop(socket: Socket, isPlain: boolean): void {
  if (isPlain) {
    const head = Object.entries(REFUSAL_HEADERS).map(([name, value]) => `${name}: ${value}`)
    socket.write(['HTTP/1.1 503 Service Unavailable', ...head, '', REFUSAL].join('\r\n'))
    socket.destroySoon()
  } else socket.destroy()
}

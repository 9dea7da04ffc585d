import { once } from 'node:events'
import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer, Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyServerFactory } from 'fastify'
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

  /** @param options with a certificate, the servers use TLS */
  constructor(options: ServerOptions & Partial<TlsFiles>) {
    this.#options = options
  }

  /** For the framework, which creates one server per address. */
  readonly createServer: FastifyServerFactory = (handler, { keepAliveTimeout, connectionTimeout }) => {
    const options = { ...this.#options, keepAliveTimeout: keepAliveTimeout as number }
    const server = options.cert === undefined ? createServer(options, handler) : createTlsServer(options, handler)
    server.setTimeout(connectionTimeout as number)
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
    this.#servers.push(server)
    return server
  }

  /** Applies to new connections. Does nothing without TLS. */
  renewCertificate(tls: TlsFiles): void {
    for (const server of this.#servers) if (server instanceof TlsServer) server.setSecureContext(tls)
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

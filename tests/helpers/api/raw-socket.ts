import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A connection on which tests send arbitrary bytes. */
export interface RawSocket extends Disposable {
  readonly socket: Socket
  /** Everything received so far. */
  readonly received: () => string
  /** Resolves when the connection is closed, for any reason. */
  readonly closed: Promise<void>
}

export async function rawSocket(server: FastifyInstance | URL): Promise<RawSocket> {
  const port = server instanceof URL ? Number(server.port) : await listening(server)
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([once(socket, 'connect'), closed])
  return { socket, received: () => text, closed, [Symbol.dispose]: () => void socket.destroy() }
}

async function listening(app: FastifyInstance): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

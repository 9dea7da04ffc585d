import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** What may pass without a byte until a request to upgrade is decided, in milliseconds; a WebSocket lifts it. */
const PATIENCE = 10_000

/**
 * Closes the connection of a request to upgrade that is answered in any other way: the server has let go of it, so a client that
 * goes on sending would keep it open for ever, and anybody could open any number of them. What the server has not let go of (an
 * offer of "h2c") goes on.
 */
export const refusedUpgrades = fastifyPlugin(async (app: FastifyInstance) => {
  const released = new WeakSet<IncomingMessage>()
  app.server.on(
    'upgrade',
    (request: IncomingMessage, socket: Duplex & { setTimeout(after: number, done: () => void): void }) => {
      released.add(request)
      socket.setTimeout(PATIENCE, () => socket.destroy())
    },
  )

  app.addHook('onRequest', async ({ raw }, reply) => {
    if (released.has(raw)) reply.raw.once('finish', () => raw.socket.destroySoon())
  })
})

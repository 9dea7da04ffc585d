import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** What may pass without a byte until a request to upgrade is decided, in milliseconds; a WebSocket lifts it. */
const PATIENCE = 10_000

/**
 * Closes the connection of a request to upgrade that is answered in any other way: the server has let go of it, so it would
 * stay open for ever, and anybody could open any number of them.
 */
export const refusedUpgrades = fastifyPlugin(async (app: FastifyInstance) => {
  app.server.on(
    'upgrade',
    (_request: unknown, socket: Duplex & { setTimeout(after: number, done: () => void): void }) =>
      socket.setTimeout(PATIENCE, () => socket.destroy()),
  )

  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.headers.upgrade !== undefined) reply.raw.once('finish', () => raw.socket.end())
  })
})

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** A connection on which nothing moves is cut, but not while it is us who are at work: emptying the trash, or syncing a file. */
export const idleConnections = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook('onRequest', async ({ raw: request }, { raw: answer }) => {
    answer.on('timeout', (socket: Socket) => {
      if (!request.complete || answer.headersSent) socket.destroy()
    })
  })
})

import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

/** Bytes of a refused body that are read; who sends more is cut off. */
const MOST = 32 * 1024 * 1024

export interface UnreadBodiesOptions {
  /** Milliseconds for which they are read: who sends a byte now and then would keep the connection. */
  readonly time: number
}

/**
 * Reads the rest of a body that was answered before its end. Its sender may look for the answer only when all of it has left,
 * and the next request of the connection stands behind it: nobody else reads on where reading has begun.
 */
export const unreadBodies = fastifyPlugin(async (app: FastifyInstance, { time }: UnreadBodiesOptions) => {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.readableEnded || raw.destroyed) return
    // Nobody tells of a client that goes away now, so the timer may be left over: it must hold up no stop.
    const overdue = setTimeout(() => raw.destroy(), time).unref()
    let left = MOST
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) raw.destroy()
    })
    raw.once('close', () => clearTimeout(overdue))
    raw.resume()
  })
})

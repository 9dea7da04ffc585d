import type { Socket } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { FilemgrError } from '../../domain/errors.ts'

/** An idle connection is closed, but not while we are working, such as emptying the trash or syncing a file. */
export function idleConnections(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: request }, { raw: answer }) => {
    answer.on('timeout', (socket: Socket) => {
      if (!request.complete || answer.headersSent) socket.destroy()
    })
  })
}

/** How long a request to upgrade may be idle until it is answered, in milliseconds; a WebSocket removes the limit. */
const PATIENCE = 10_000

/**
 * Closes the connection of a request to upgrade that is answered in any other way: the server has let go of it, so a client that
 * goes on sending would keep it open for ever, and one client could open any number of them. What the server has not let go of (an
 * offer of "h2c") goes on.
 */
export function refusedUpgrades(app: FastifyInstance): void {
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
}

/**
 * Refuses the calls of `app` whose body is not there after so many milliseconds in all: a byte now and then keeps the connection
 * from being idle, and would hold it for days.
 */
export function refuseSlowBodies(app: FastifyInstance, most: number): void {
  app.addHook('preParsing', async ({ raw }, reply, payload) => {
    if (raw.complete) return payload
    const overdue = setTimeout(() => {
      if (raw.complete) return
      if (reply.raw.headersSent) return void raw.destroy()
      void reply.header('connection', 'close')
      raw.emit('error', new FilemgrError('REQUEST_TIMEOUT', 'the request took too long to arrive; send it again'))
    }, most).unref()
    const arrived = () => clearTimeout(overdue)
    // Without a listener an error would end the process, and the framework listens only while it reads.
    raw.once('end', arrived).once('close', arrived).on('error', arrived)
    return payload
  })
}

/** Bytes of a refused body that are read; beyond that the connection is closed. */
const MOST = 32 * 1024 * 1024

/**
 * Reads the rest of a body that was answered before its end. Its sender may look for the answer only when all of it has left,
 * and the next request of the connection stands behind it: no one else continues a read that has begun.
 *
 * @param time milliseconds for which it is read: who sends a byte now and then would keep the connection
 */
export function unreadBodies(app: FastifyInstance, time: number): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.readableEnded || raw.destroyed) return
    // No event reports a client that leaves now, so the timer may remain: it must not delay the stop.
    const overdue = setTimeout(() => raw.destroy(), time).unref()
    let left = MOST
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) raw.destroy()
    })
    raw.once('close', () => clearTimeout(overdue))
    raw.resume()
  })
}

import type { Socket } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { FilemgrError } from '../../domain/errors.ts'

/** Closes idle connections, unless the server is still working on the reply, for example emptying the trash. */
export function idleConnections(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: request }, { raw: answer }, done) => {
    answer.on('timeout', (socket: Socket) => {
      if (!request.complete || answer.headersSent) socket.destroy()
    })
    done()
  })
}

/** Milliseconds that an upgrade request may be idle before the reply; a WebSocket removes the limit. */
const UPGRADE_IDLE = 10_000

/**
 * Closes the connection of an upgrade request that does not become a WebSocket. Node no longer applies its limits to such
 * connections, so a client could keep any number of them open forever. Connections that Node still manages (an offer of "h2c")
 * stay open.
 */
export function refusedUpgrades(app: FastifyInstance): void {
  const released = new WeakSet<IncomingMessage>()
  app.server.on(
    'upgrade',
    (request: IncomingMessage, socket: Duplex & { setTimeout(after: number, done: () => void): void }) => {
      released.add(request)
      socket.setTimeout(UPGRADE_IDLE, () => socket.destroy())
    },
  )

  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (released.has(raw)) reply.raw.once('finish', () => raw.socket.destroySoon())
    done()
  })
}

/**
 * Limits the total time in which a body must arrive: a client that sends a byte now and then is never idle, and could hold a
 * connection for days (slow POST).
 *
 * @param limit milliseconds
 */
export function refuseSlowBodies(app: FastifyInstance, limit: number): void {
  app.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    if (raw.complete) return done()
    const overdue = setTimeout(() => {
      if (raw.complete) return
      if (reply.raw.headersSent) return void raw.destroy()
      void reply.header('connection', 'close')
      raw.emit('error', new FilemgrError('REQUEST_TIMEOUT', 'the request took too long to arrive; send it again'))
    }, limit).unref()
    const arrived = () => clearTimeout(overdue)
    // An error without a listener would end the process, and the framework listens only while it reads.
    raw.once('end', arrived).once('close', arrived).on('error', arrived)
    done()
  })
}

/** Bytes of a refused body that are read before the connection is closed. */
const MAX_UNREAD = 32 * 1024 * 1024

/**
 * Reads the rest of a body after an early reply. Many clients read the reply only after sending the whole body, and the next
 * request on the connection comes after it.
 *
 * @param time milliseconds after which a slow client is disconnected
 */
export function unreadBodies(app: FastifyInstance, time: number): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    done()
    if (raw.readableEnded || raw.destroyed) return
    // The whole body has arrived, as for nearly every GET.
    if (raw.complete) return void raw.resume()
    // A client that disconnects now causes no event, so the timer may remain; it must not delay the stop.
    const overdue = setTimeout(() => raw.destroy(), time).unref()
    let remaining = MAX_UNREAD
    raw.on('data', (chunk: Buffer) => {
      remaining -= chunk.length
      if (remaining < 0) raw.destroy()
    })
    const isOver = () => clearTimeout(overdue)
    raw.once('end', isOver).once('close', isOver)
    raw.resume()
  })
}

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { printable } from '../../domain/text/printable.ts'
import { addressOf } from '../protocol/caller.ts'
import { sentTarget } from '../protocol/request-path.ts'
import { loggedPath } from './request-log.ts'

/** What is known of a request once it is answered. Holds no query and no header, which may contain secrets. */
export interface FinishedRequest {
  readonly method: string
  /** The hash of a share is shortened. */
  readonly path: string
  /** Undefined for files of the page and for unknown addresses. */
  readonly operation: string | undefined
  readonly status: number
  /** Bytes on the connection, including headers. */
  readonly received: number
  readonly sent: number
  readonly milliseconds: number
  /** Name of the user who is signed in. */
  readonly user: string | undefined
  readonly address: string
}

export type RequestListener = (request: FinishedRequest) => void

/** Calls the listeners for every request that is answered, or abandoned by its client. */
export function finishedRequests(app: FastifyInstance, listeners: readonly RequestListener[]): void {
  const counted = new WeakMap<Socket, Pick<Socket, 'bytesRead' | 'bytesWritten'>>()

  app.addHook('onResponse', (request, reply, done) => {
    const { socket } = request.raw
    const { bytesRead, bytesWritten } = socket
    // A connection carries many requests, and its counters are totals.
    const before = counted.get(socket) ?? { bytesRead: 0, bytesWritten: 0 }
    counted.set(socket, { bytesRead, bytesWritten })
    const finished: FinishedRequest = {
      method: request.method,
      path: printable(loggedPath(sentTarget(request).path, request.method)),
      operation: request.routeOptions.config.operation?.id,
      status: reply.statusCode,
      received: bytesRead - before.bytesRead,
      sent: bytesWritten - before.bytesWritten,
      milliseconds: Math.round(reply.elapsedTime),
      user: request.actor?.kind === 'user' ? request.actor.username : undefined,
      address: addressOf(request),
    }
    for (const listener of listeners) listener(finished)
    done()
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { describeRefusal } from '../../platform/files/disk-refusal.ts'
import { addressOf } from '../protocol/caller.ts'
import { sentTarget } from '../protocol/request-path.ts'
import type { SignInKind } from '../../domain/accounts/session.ts'
import type { Socket } from 'node:net'
import { printable } from '../../domain/text/printable.ts'

/**
 * Logs each refused or failed request, without the query, which may contain tokens of old clients. A refused sign-in is logged
 * as "/api/login: 403 192.0.2.7 <nil>", which existing fail2ban filters match.
 */
export function requestLog(app: FastifyInstance, context: Context): void {
  const causes = new WeakMap<FastifyRequest, string>()
  // Before the reply ends: afterwards the daemon may stop, and close its log.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const { diskRefusal } = request
    if (diskRefusal === undefined) return done()
    describeRefusal(diskRefusal).then((cause) => {
      causes.set(request, cause)
      done()
    }, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const status = reply.statusCode
    if (status < 400) return done()
    const path = loggedPath(sentTarget(request).path, request.method)
    const facts = {
      operation: request.routeOptions.config.operation?.id,
      method: request.method,
      status,
      address: addressOf(request),
      milliseconds: Math.round(reply.elapsedTime),
      token: request.actor?.kind === 'user' ? request.actor.token?.id : undefined,
      user: request.actor?.kind === 'user' ? request.actor.id : undefined,
      cause: causes.get(request),
    }
    context.log.warn(facts, `${path}: ${status} ${addressOf(request)} <nil>`)
    done()
  })
}

const CALLS = /(\/api\/(?:public\/(?:share|link|dl|subtitle|preview\/[^/]+)|shares)\/[^/]{4})[^/]+/
const SENDING = /(\/api\/public\/tus\/[^/]{1,4})[^/]*(\/[^/]{0,4})?.*/
const BEGUN = /(\/api\/shares\/[^/]{1,4})[^/]*(\/uploads\/[^/]{0,4}).*/
const REMOVAL = /(\/api\/share\/[^/]{4})[^/]+/
/** Also in the addresses of FileBrowser Quantum. */
const PAGE = /^((?:\/[^/]+)*?\/(?:share|public\/dl)\/[^/]{4})[^/]+/

/** Shortens secrets: the hash of a share opens the link, and the address of a file that a visitor sent removes the file. */
export function loggedPath(path: string, method: string): string {
  if (!path.includes('/api/')) return path.replace(PAGE, '$1…')
  if (SENDING.test(path)) return path.replace(SENDING, (_, hash: string, file = '') => `${hash}…${file && `${file}…`}`)
  if (BEGUN.test(path)) return path.replace(BEGUN, '$1…$2…')
  const cut = path.replace(CALLS, '$1…')
  return method === 'DELETE' ? cut.replace(REMOVAL, '$1…') : cut
}

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
  /** How somebody has signed in by it. */
  readonly signedIn: SignInKind | undefined
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
      signedIn: request.auditNotes?.signedIn,
    }
    for (const listener of listeners) listener(finished)
    done()
  })
}

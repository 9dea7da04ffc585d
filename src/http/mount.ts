import type {} from '@fastify/websocket'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
} from 'fastify'
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../api/operation.ts'
import type { Context } from '../context.ts'
import { fail } from '../domain/errors.ts'
import type { Actor } from '../domain/accounts/actor.ts'
import type { ClientInfo, Peer } from '../services/accounts/auth/sign-in-request.ts'
import { HANDLERS } from '../operations/handlers.ts'
import type { Visit } from '../services/shares/visits.ts'
import { statusLine } from './error-status.ts'
import { stopSignalOf } from './plugins/authentication.ts'
import { clientOf, peerOf, visitOf } from './protocol/caller.ts'
import { sentTarget } from './protocol/request-path.ts'
import './route-config.ts'
import { sendJson } from './send/send.ts'

/** One request, typed by its operation. Has getters instead of fields, because most handlers need only a few of them. */
export class Call<O extends Operation> {
  readonly request: FastifyRequest
  readonly reply: FastifyReply

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.reply = reply
  }

  get params(): ParamsOf<O> {
    return this.request.params as ParamsOf<O>
  }

  get query(): QueryOf<O> {
    return this.request.query as QueryOf<O>
  }

  get body(): BodyOf<O> {
    return this.request.body as BodyOf<O>
  }

  /** @throws UNAUTHENTICATED on a public operation */
  get actor(): Actor {
    return this.request.actor ?? fail('UNAUTHENTICATED', 'sign in first')
  }

  /** @throws UNAUTHENTICATED outside of share routes */
  get visit(): Visit {
    return visitOf(this.request)
  }

  get client(): ClientInfo {
    return clientOf(this.request)
  }

  get peer(): Peer {
    return peerOf(this.request)
  }

  /** Only the headers are wanted: nothing is read, made or counted for it that only a body needs. */
  get isHead(): boolean {
    return this.request.method === 'HEAD'
  }

  /** Aborted when the client goes away, or the request must end. */
  get signal(): AbortSignal {
    return stopSignalOf(this.request)
  }
}

/** A value to send as JSON, undefined for the plain text of the status, or the reply after sending it. */
type Answer<O extends Operation> = ReplyOf<O> | FastifyReply | undefined
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer<O>> | Answer<O>

/** The part of a server-side WebSocket that we use. */
export interface MessageSocket {
  readonly readyState: number
  readonly OPEN: number
  /** The negotiated subprotocol, or "". */
  readonly protocol: string
  send(text: string, sent: (error?: Error) => void): void
  /** Asks for a "pong", which every client sends automatically. */
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'message', listener: (data: Buffer) => void): void
  on(event: 'close' | 'error' | 'pong', listener: () => void): void
}

type RouteSettings = 'invalidAs' | 'allowsExpiredSession' | 'renews' | 'takesInput' | 'placeholderBody' | 'endsItself'

export interface MountOptions extends Pick<FastifyContextConfig, RouteSettings> {
  /** "/api/raw" does not redirect to "/api/raw/". */
  readonly noRedirect?: true
  /** Bytes; 1 MiB by default. */
  readonly bodyLimit?: number
  /** For a WebSocket route; the handler answers plain HTTP requests. */
  readonly socket?: {
    /** Throws to refuse the upgrade. */
    readonly before: (request: FastifyRequest) => void
    readonly open: (socket: MessageSocket, request: FastifyRequest, path: string) => void
  }
}

const ALL_METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Registers the route of an operation: path, schemas, access, and the plain reply. */
export function mount<const O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: Handler<O>,
  options: MountOptions = {},
): void {
  const { access } = operation
  const { bodyLimit, socket, ...routeConfig } = options
  const { placeholderBody } = routeConfig
  const config = { operation, access, ...routeConfig }
  const valueOf: (call: Call<O>) => unknown = handler
  const route = {
    url: operation.path,
    config,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(placeholderBody && {
      preValidation: async (request: FastifyRequest) => void (request.body = placeholderBody() ?? request.body),
    }),
    ...(socket && {
      preValidation: async (request: FastifyRequest) => socket.before(request),
      wsHandler: (connection: MessageSocket, request: FastifyRequest) =>
        socket.open(connection, request, `/${(request.params as Record<string, string>)['*'] ?? ''}`),
    }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const value = await valueOf(new Call<O>(request, reply))
      // Awaiting the reply waits until it is sent, which never happens if the client has left. Do not add code after it.
      if (!reply.sent && !reply.raw.headersSent) await answer(operation, reply, value)
      return await reply
    },
  }
  const schema = schemaOf(operation)
  const methods = methodsOf(operation)
  app.route({ ...route, method: methods, schema })
  if (operation.anyMethod === true) {
    const others = ALL_METHODS.filter((method) => !methods.includes(method) && !(method === 'HEAD' && operation.body))
    app.route({ ...route, method: others, schema })
  }
  if (operation.path.endsWith('/*') && options.noRedirect !== true) mountRedirect(app, operation)
}

/** Registers the other operations that commands perform, too: those that need nothing of HTTP have no route yet. */
export function mountHandlers(app: FastifyInstance, context: Context): void {
  for (const { operation, run } of HANDLERS.values()) {
    if (operation.access === 'operator') continue
    if (app.hasRoute({ method: operation.method, url: `${app.prefix}${operation.path}` })) continue
    mount<Operation>(app, operation, async (call) => (await run(call, context)) as ReplyOf<Operation>)
  }
}

function methodsOf({ method, head }: Operation): HTTPMethods[] {
  return head === true ? [method, 'HEAD'] : [method]
}

/** "/api/raw" redirects to "/api/raw/", without authentication. */
function mountRedirect(app: FastifyInstance, operation: Operation): void {
  app.route({
    method: methodsOf(operation),
    url: operation.path.slice(0, -2),
    config: { operation, access: 'public' },
    handler: (request, reply) => {
      const { path, query } = sentTarget(request)
      const target = `${path}/${query}`
      void reply.code(301).header('location', target)
      if (request.method !== 'GET' && request.method !== 'HEAD') return reply.send()
      return reply.type('text/html; charset=utf-8').send(`<a href="${escapeQuotes(target)}">Moved Permanently</a>.\n\n`)
    },
  })
}

function escapeQuotes(target: string): string {
  return target.replaceAll('&', '&amp;').replaceAll('"', '&#34;').replaceAll('<', '&lt;')
}

function answer(operation: Operation, reply: FastifyReply, value: unknown): FastifyReply {
  const status = Number(Object.keys(operation.replies)[0])
  void reply.code(status)
  if (value !== undefined) return sendJson(reply, value)
  void reply.type('text/plain; charset=utf-8')
  return status === 204 ? reply.send() : reply.send(`${statusLine(status)}\n`)
}

function schemaOf(operation: Operation): FastifySchema {
  const { params, query, body } = operation
  return {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
  }
}

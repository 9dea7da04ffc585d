import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyServerOptions } from 'fastify'
import type { Context } from '../context.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { createAddressList } from '../platform/network/address-list.ts'
import { baseOf } from '../domain/server/server-options.ts'
import { parseQuery, pathBelow, routedPath, splitTarget } from './protocol/request-path.ts'
import { setSecurityHeaders } from './plugins/security-headers.ts'
import type { Logger } from '../platform/logging/logger.ts'

const KIBIBYTE = 1024
const SECOND = 1000

/** Spells header names like the original, "Upload-Offset": some clients and scripts wrongly compare them by case. */
class CanonicalResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** A cache: all replies use the same few names. */
  static readonly #names = new Map<string, string>()

  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(CanonicalResponse.#canonical(name), value)
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const named = rest.map((part) => (isRecord(part) ? CanonicalResponse.#named(part as OutgoingHttpHeaders) : part))
    return super.writeHead(status, ...(named as []))
  }

  /** Names and values in turn. */
  static #named(headers: OutgoingHttpHeaders): OutgoingHttpHeader[] {
    const named: OutgoingHttpHeader[] = []
    for (const name in headers) {
      const value = headers[name]
      if (value !== undefined) named.push(CanonicalResponse.#canonical(name), value)
    }
    return named
  }

  static #canonical(name: string): string {
    let canonical = CanonicalResponse.#names.get(name)
    if (canonical === undefined) {
      canonical = name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
      CanonicalResponse.#names.set(name, canonical)
    }
    return canonical
  }
}

/** Options for `http.createServer` and `https.createServer`: limits against slow or endless clients, and the header names. */
export const CONNECTION_LIMITS = {
  ServerResponse: CanonicalResponse,
  maxHeaderSize: 16 * KIBIBYTE,
  headersTimeout: 30 * SECOND,
  // With the default of 30 seconds, a timeout could fire up to 30 seconds late.
  connectionsCheckingInterval: 5 * SECOND,
  // No limit: uploads may take hours. The idle limit cuts stalled connections.
  requestTimeout: 0,
  // Other upgrades, such as "h2c", are ignored and the request is answered normally.
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
}

export function serverOptions({ options, log }: Pick<Context, 'options' | 'log'>): FastifyServerOptions {
  const proxies = createAddressList(options.trustedProxies)
  return {
    loggerInstance: frameworkLog(log),
    // Otherwise clients could forge their address by sending X-Forwarded-For.
    trustProxy: proxies.isEmpty ? false : (address) => proxies.has(address),
    // Loading the framework's own compilers, which are never used, takes a tenth of the start-up time.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    rewriteUrl: createRewriteTarget(baseOf(options)),
    bodyLimit: 1024 * KIBIBYTE,
    connectionTimeout: 60 * SECOND,
    keepAliveTimeout: 10 * SECOND,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // `mount` adds HEAD to the operations that answer it.
    exposeHeadRoutes: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { maxParamLength: 16 * KIBIBYTE, querystringParser: parseQuery },
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      // Runs before any hook, for addresses with an invalid escape.
      void setSecurityHeaders(reply).code(400).header('connection', 'close')
      void reply.type('text/plain; charset=utf-8').send('400 Bad Request')
    },
  }
}

/** Replies have no schemas, and `buildApp` sets the compiler for requests. */
function unused(): never {
  throw new Error('the framework needs a schema compiler that is not set')
}

/** Forwards the framework's warnings to our log, such as replies that failed after they had begun. */
function frameworkLog(log: Logger): FastifyBaseLogger {
  const nothing = (): void => undefined
  const to = (level: 'warn' | 'error') => (facts: unknown, message?: string) => {
    // Only the error: requests and replies contain tokens, and the request log covers them.
    if (typeof facts === 'string') log[level](facts)
    else
      log[level]({ err: (facts as { err?: unknown } | undefined)?.err }, message ?? 'warning from the HTTP framework')
  }
  const logger: FastifyBaseLogger = {
    level: 'warn',
    debug: nothing,
    info: nothing,
    trace: nothing,
    silent: nothing,
    warn: to('warn'),
    error: to('error'),
    fatal: to('error'),
    child: () => logger,
  }
  return logger
}

/**
 * What requests that other programs send mean here, decided before anything else sees them: routes, guards and logs know one form
 * of each address.
 *
 * - "http://host/path" (RFC 9112, section 3.2.2) is the path at that host.
 * - Without the prefix of the base URL, an address means the one with it: proxies may strip it, and health checks do not know it.
 *   An address that begins with the prefix has it.
 * - "/api/share" and the hash of a link need no slash between them, as in File Browser.
 * - Bytes that are not UTF-8 are marked for the router.
 * - tus clients that can only POST name the method in a header (tus 1.0). It counts for addresses of uploads only: elsewhere it
 *   would let a POST that a proxy permits be a DELETE.
 */
function createRewriteTarget(base: string): (request: IncomingMessage) => string {
  return (request) => {
    const target = originForm(request)
    const { path, query } = splitTarget(target)
    const below = pathBelow(base, path) ?? path
    const override =
      TUS.test(below) && request.method === 'POST' ? request.headers['x-http-method-override'] : undefined
    if (typeof override === 'string' && OVERRIDES.has(override.toUpperCase())) request.method = override.toUpperCase()
    return `${base}${routedPath(below.replace(GLUED_HASH, '$1/$2'))}${query}`
  }
}

const TUS = /^\/api\/(public\/)?tus(\/|$)/
const OVERRIDES = new Set(['PATCH', 'DELETE', 'HEAD'])
const GLUED_HASH = /^(\/api\/share)([\w-]{6,})$/

/** Replaces the Host header by the host of an absolute target, so that both cannot differ. */
function originForm({ url = '/', headers }: IncomingMessage): string {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return rest.startsWith('/') ? rest : `/${rest}`
}

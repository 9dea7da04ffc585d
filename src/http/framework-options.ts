import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyServerOptions } from 'fastify'
import type { Context } from '../context.ts'
import { isRecord } from '../domain/schema/schema-tools.ts'
import { createAddressList } from '../platform/network/address-list.ts'
import { parseQuery } from './protocol/request-path.ts'
import { setSecurityHeaders } from './plugins/security-headers.ts'
import type { Logger } from '../platform/logging/logger.ts'

const KIBIBYTE = 1024
const SECOND = 1000

/**
 * Names headers as the original does, "Upload-Offset": published clients and scripts compare them by their case, though none
 * counts.
 */
class CanonicalResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Each answer has the same ones. */
  static readonly #names = new Map<string, string>()

  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(CanonicalResponse.#canonical(name), value)
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const named = rest.map((part) => (isRecord(part) ? CanonicalResponse.#named(part as OutgoingHttpHeaders) : part))
    return super.writeHead(status, ...(named as []))
  }

  static #named(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const named: OutgoingHttpHeaders = {}
    for (const name in headers) named[CanonicalResponse.#canonical(name)] = headers[name]
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

/** Limits of the connection, so that slow or endless clients cost little, and how headers are named; for `http.createServer` and its TLS kin alike. */
export const CONNECTION_LIMITS = {
  ServerResponse: CanonicalResponse,
  maxHeaderSize: 16 * KIBIBYTE,
  headersTimeout: 30 * SECOND,
  // How often the timeouts are checked; the default could be a minute.
  connectionsCheckingInterval: 5 * SECOND,
  // Uploads may take hours; a connection on which nothing moves is cut by the idle limit instead.
  requestTimeout: 0,
  // Other upgrades, such as "h2c", are ignored and the request is answered normally.
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
}

/** How the framework is set up; everything that is not its default has a reason here. */
export function serverOptions({ options, log }: Pick<Context, 'options' | 'log'>): FastifyServerOptions {
  const proxies = createAddressList(options.trustedProxies)
  return {
    loggerInstance: frameworkLog(log),
    // X-Forwarded-For of any other peer would let a client choose its own address.
    trustProxy: proxies.isEmpty ? false : (address) => proxies.has(address),
    // The framework's own compilers are never used, and loading them takes a tenth of the start.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    bodyLimit: 1024 * KIBIBYTE,
    connectionTimeout: 60 * SECOND,
    keepAliveTimeout: 10 * SECOND,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // HEAD is refused for every operation that does not declare it.
    exposeHeadRoutes: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { maxParamLength: 16 * KIBIBYTE, querystringParser: parseQuery },
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      // Before any hook: the address contains an invalid escape.
      void setSecurityHeaders(reply).code(400).header('connection', 'close')
      void reply.type('text/plain; charset=utf-8').send('400 Bad Request')
    },
  }
}

/** Replies have no schemas, and `buildApp` sets the compiler of requests. */
function unused(): never {
  throw new Error('the framework needs a schema compiler that is not set')
}

/**
 * What the framework has to say goes into our log: above all an answer that broke off in the middle, of which the client sees
 * the cut and no other client notices.
 */
function frameworkLog(log: Pick<Logger, 'warn' | 'error'>): FastifyBaseLogger {
  const nothing = (): void => undefined
  const to = (level: 'warn' | 'error') => (facts: unknown, message?: string) => {
    // Requests and answers hold tokens, and have lines of their own.
    if (typeof facts === 'string') log[level](facts)
    else log[level]({ err: (facts as { err?: unknown } | undefined)?.err }, message ?? 'the framework warns')
  }
  const logger: FastifyBaseLogger = {
    ...{ level: 'warn', debug: nothing, info: nothing, trace: nothing, silent: nothing },
    ...{ warn: to('warn'), error: to('error'), fatal: to('error') },
    child: () => logger,
  }
  return logger
}

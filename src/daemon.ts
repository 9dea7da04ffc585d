import type { AddressInfo } from 'node:net'
import type { Context } from './context.ts'
import { listenFailure, listenOptions, reachableUrls, withSocketMode } from './daemon/listen.ts'
import type { Metrics } from './daemon/metrics.ts'
import { Connections } from './http/connections.ts'
import type { FinishedRequest } from './http/plugins/finished-requests.ts'
import type { TlsFiles } from './platform/network/tls-files.ts'

/** Milliseconds that requests get to complete when the daemon stops. Docker kills after ten seconds, so two remain for saving. */
const GRACE = 8000

/** The running server. Disposing of it waits for running requests, a few seconds at most; the context stays open. */
export interface Daemon extends AsyncDisposable {
  /** Addresses of the server, loopback first; `unix:/path` for a socket. */
  readonly urls: readonly [string, ...string[]]
  /** Applies to new connections; open ones keep the old certificate. */
  renewCertificate(tls: TlsFiles): void
  /** Opens the access log again, after logrotate has moved it away. */
  reopenAccessLog(): void
}

export interface DaemonOptions {
  readonly context: Context
  readonly tls?: TlsFiles | undefined
  readonly grace?: number
  readonly onPublicUrl?: (url: string) => void
}

/** @throws INVALID_INPUT if the address, port or socket is not available */
export async function startDaemon({ context, tls, grace = GRACE, onPublicUrl }: DaemonOptions): Promise<Daemon> {
  const { options } = context
  const [{ buildApp }, { CONNECTION_LIMITS }] = await Promise.all([
    import('./http/app.ts'),
    import('./http/framework-options.ts'),
  ])
  const connections = new Connections({ ...CONNECTION_LIMITS, ...tls })
  await using opened = new AsyncDisposableStack()
  const accessLog = options.accessLog === '' ? undefined : opened.use(await openAccessLog(options.accessLog))
  const metrics = options.metrics === '' ? undefined : opened.use(await metricsOf(context))
  const app = await buildApp(context, {
    createServer: connections.createServer,
    onFinished: [accessLog, metrics].flatMap((observer) => observer?.record ?? []),
    ...(onPublicUrl && { onPublicUrl }),
  })
  await context.services.webhookSender.start()
  try {
    await withSocketMode(options, async () => await app.listen(listenOptions(options)))
  } catch (error) {
    await app.close()
    throw listenFailure(error, options)
  }
  const chores = context.services.chores.start()
  if (metrics !== undefined) context.log.info(`metrics are at ${metrics.url}`)
  const observers = opened.move()
  return {
    urls: urlsOf(context, app.server.address()),
    renewCertificate: (files) => connections.renewCertificate(files),
    reopenAccessLog: () => accessLog?.reopen(),
    async [Symbol.asyncDispose]() {
      await connections.close(app, grace)
      await observers.disposeAsync()
      await chores[Symbol.asyncDispose]()
    },
  }
}

/** One JSON line per request. @throws INVALID_INPUT if the file cannot be written */
async function openAccessLog(destination: string) {
  const { createLogger } = await import('./platform/logging/logger.ts')
  const log = await createLogger({ destination, option: 'access-log', format: 'json' })
  return {
    record({ method, path, status, sent, milliseconds, user, address }: FinishedRequest): void {
      log.info({ method, path, status, bytes: sent, milliseconds, user, address }, 'request')
    },
    reopen: () => log.reopen(),
    [Symbol.dispose]: () => log[Symbol.dispose](),
  }
}

async function metricsOf(context: Context): Promise<Metrics> {
  const { startMetrics } = await import('./daemon/metrics.ts')
  return await startMetrics(context)
}

function urlsOf({ options }: Context, address: AddressInfo | string | null): [string, ...string[]] {
  if (address === null || typeof address === 'string') return [`unix:${options.socket}`]
  const [first = `http://${options.address}:${address.port}/`, ...others] = reachableUrls(options, address.port)
  return [first, ...others]
}

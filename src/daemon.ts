import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from './context.ts'
import { listenFailure, listenOptions, reachableUrls, withSocketMode } from './daemon/listen.ts'
import type { Metrics } from './daemon/metrics.ts'
import type { NodeState } from './domain/server/node.ts'
import type { AnnouncedNode } from './services/server/nodes.ts'
import { Connections } from './http/connections.ts'
import { maxConnections } from './platform/limits/descriptors.ts'
import type { FinishedRequest } from './http/plugins/request-log.ts'
import type { TlsFiles } from './platform/network/tls-files.ts'

/** Milliseconds that requests get to complete when the daemon stops. Docker kills after ten seconds, so two remain for saving. */
const GRACE = 8000

/** The same if another process has taken its place, and nobody waits for the end: long transfers may complete. */
const LONG_GRACE = 60_000

/** Milliseconds for a daemon whose place another process takes, until it cuts connections without a request. */
const LEAVE = 5000

/** Milliseconds for which a stopping daemon reports that it is not ready but still takes requests, if others can take over. */
const DRAIN = 3000

/**
 * The running server. Disposing of it first gives load balancers time to switch to other daemons, if there are any; then it
 * waits a few seconds at most for running requests. The context stays open.
 */
export interface Daemon extends AsyncDisposable {
  /** Addresses of the server, loopback first; `unix:/path` for a socket. */
  readonly urls: readonly [string, ...string[]]
  /** Applies to new connections; open ones keep the old certificate. */
  renewCertificate(tls: TlsFiles): void
  /** Opens the access log again, after logrotate has moved it away. */
  reopenAccessLog(): void
  /** Call this before disposing of it if other processes listen on the same port: then no request fails. */
  giveWay(): Promise<void>
}

export interface DaemonOptions {
  readonly context: Context
  readonly tls?: TlsFiles | undefined
  readonly grace?: number
  readonly drain?: number
  readonly onPublicUrl?: (url: string) => void
}

/** @throws INVALID_INPUT if the address, port or socket is not available */
export async function startDaemon({
  context,
  tls,
  grace = GRACE,
  drain = DRAIN,
  onPublicUrl,
}: DaemonOptions): Promise<Daemon> {
  const { options, shared } = context
  let isStopping = false
  let hasGivenWay = false
  const [{ buildApp }, { CONNECTION_LIMITS }] = await Promise.all([
    import('./http/app.ts'),
    import('./http/framework-options.ts'),
  ])
  const connections = new Connections({ ...CONNECTION_LIMITS, ...tls }, maxConnections())
  await using opened = new AsyncDisposableStack()
  const accessLog = options.accessLog === '' ? undefined : opened.use(await openAccessLog(options.accessLog))
  const metrics = options.metrics === '' ? undefined : opened.use(await metricsOf(context))
  const app = await buildApp(context, {
    createServer: connections.createServer,
    isStopping: () => isStopping,
    onFinished: [accessLog, metrics].flatMap((observer) => observer?.record ?? []),
    ...(onPublicUrl && { onPublicUrl }),
  })
  await context.services.webhookSender.start()
  await context.services.quotas.start()
  const takeover = opened.use(await context.services.resumeJobs(shared !== undefined))
  try {
    await withSocketMode(options, async () => await app.listen(listenOptions(options)))
  } catch (error) {
    await app.close()
    throw listenFailure(error, options)
  }
  const chores = context.services.chores.start()
  const rootWatch = context.services.rootWatch.start()
  if (metrics !== undefined) context.log.info(`metrics are at ${metrics.url}`)
  const urls = urlsOf(context, app.server.address())
  shared?.auditEntries?.nameDaemon(placeOnHost(urls[0]))
  const node = shared && (await announced(context, shared, urls[0]))
  const observers = opened.move()
  return {
    urls,
    renewCertificate: (files) => connections.renewCertificate(files),
    reopenAccessLog: () => accessLog?.reopen(),
    async giveWay() {
      hasGivenWay = true
      await connections.leave(LEAVE)
    },
    async [Symbol.asyncDispose]() {
      const begun = performance.now()
      isStopping = !hasGivenWay
      // Not awaited yet: another daemon should take over the chores at once.
      takeover[Symbol.dispose]()
      const ended = Promise.all([
        chores[Symbol.asyncDispose](),
        rootWatch[Symbol.asyncDispose](),
        node?.[Symbol.asyncDispose](),
      ])
      if (shared !== undefined && isStopping) await untilOthersServe(shared, node, drain)
      await connections.close(app, Math.max(0, (hasGivenWay ? LONG_GRACE : grace) - (performance.now() - begun)))
      await observers.disposeAsync()
      await ended
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

type Shared = NonNullable<Context['shared']>

async function announced(
  { options, dataFolder, version, clock, log }: Context,
  shared: Shared,
  url: string,
): Promise<AnnouncedNode> {
  const [{ announceNode }, { placeOf, runtimeFolder }] = await Promise.all([
    import('./services/server/nodes.ts'),
    import('./context/daemon-record.ts'),
  ])
  const place = dataFolder === undefined ? {} : { place: await placeOf(runtimeFolder(dataFolder)) }
  return announceNode({ ...place, url, version, root: options.root }, { shared, clock, log })
}

/** Waits until load balancers have switched to daemons elsewhere; returns at once if there are none. */
async function untilOthersServe(shared: Shared, own: AnnouncedNode | undefined, time: number): Promise<void> {
  const { listNodes } = await import('./services/server/nodes.ts')
  const over = new AbortController()
  const end = () => over.abort()
  // Without the database, no other daemon can serve either.
  const isElsewhere = ({ host, url }: NodeState) => host !== own?.host || url !== own.url
  void listNodes(shared).then((nodes) => {
    if (!nodes.some((node) => node.isAlive && isElsewhere(node))) end()
  }, end)
  await pause(time, undefined, { signal: over.signal }).catch(() => undefined)
}

/** What tells several daemons on a host apart: ":8080", or " unix:/path". */
function placeOnHost(url: string): string {
  if (url.startsWith('unix:')) return ` ${url}`
  const { port, protocol } = new URL(url)
  return `:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`
}

function urlsOf({ options }: Context, address: AddressInfo | string | null): [string, ...string[]] {
  if (address === null || typeof address === 'string') return [`unix:${options.socket}`]
  const [first = `http://${options.address}:${address.port}/`, ...others] = reachableUrls(options, address.port)
  return [first, ...others]
}

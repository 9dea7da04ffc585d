import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Context } from '../context.ts'
import { OPERATOR } from '../domain/accounts/actor.ts'
import { fail } from '../domain/errors.ts'
import type { FinishedRequest } from '../http/plugins/request-log.ts'
import { Counter, gauge, Histogram, type Metric, metricsText } from '../platform/metrics.ts'
import { MEMBER } from '../platform/processes/member.ts'
import { measureBucket, measureJobs, measurePostgres } from './cluster-metrics.ts'

export interface Metrics extends AsyncDisposable {
  record(request: FinishedRequest): void
  /** Where to read them, such as "http://127.0.0.1:9180/metrics". */
  readonly url: string
}

/** Seconds. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]
const MAX_CONNECTIONS = 16
/** Milliseconds between measurements of the event loop. */
const RESOLUTION = 20

/** Serves the state of the daemon to Prometheus, at the address of the option. @throws INVALID_INPUT if it is not available */
export async function startMetrics(context: Context): Promise<Metrics> {
  const requests = new Counter('filemgr_http_requests_total', 'Requests that were answered.')
  const signIns = new Counter('filemgr_sign_ins_total', 'Sign-ins that succeeded, by their way.')
  const received = new Counter('filemgr_http_received_bytes_total', 'Bytes from clients, including headers.')
  const sent = new Counter('filemgr_http_sent_bytes_total', 'Bytes to clients, including headers.')
  const latency = new Histogram('filemgr_http_request_duration_seconds', 'Time until the end of the answer.', LATENCIES)
  using measuring = new DisposableStack()
  const parts = [measurePostgres(), measureBucket(), measureJobs(context)].map((part) => measuring.use(part))
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION })
  loop.enable()

  const answer = async (response: ServerResponse) => {
    const own = [requests, signIns, received, sent, latency, ...(await stateOf(context))]
    const text = metricsText([...own, ...parts.flatMap((part) => part.metrics()), ...processState(loop)])
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  }
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET' || url !== '/metrics') response.writeHead(404).end('404 Not Found\n')
    else
      answer(response).catch((err: unknown) => {
        context.log.warn({ err }, 'the metrics could not be read')
        response.writeHead(500).end('500 Internal Server Error\n')
      })
  })
  server.maxConnections = MAX_CONNECTIONS
  const { host, port } = endpointOf(context.options.metrics)
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (cause) {
    const { code = 'an error' } = cause as NodeJS.ErrnoException
    const message = `--metrics: ${context.options.metrics} cannot be listened on (${code})`
    return fail('INVALID_INPUT', message, { field: 'metrics' }, { cause })
  }
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port

  const measured = measuring.move()
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/metrics`,
    record(request) {
      const operation = request.operation ?? 'page'
      requests.add(1, { operation, status: String(request.status) })
      const { signedIn } = request
      if (signedIn !== undefined) {
        const { method, provider = '', factor = '' } = signedIn
        signIns.add(1, { method, provider, factor })
      }
      received.add(request.received)
      sent.add(request.sent)
      latency.observe(request.milliseconds / 1000, { operation })
    },
    async [Symbol.asyncDispose]() {
      loop.disable()
      measured[Symbol.dispose]()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** "[::1]:9180" or "localhost:9180". Of several daemons behind one port, each has its own metrics, at the ports from this one on. */
function endpointOf(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':')
  const port = Number(text.slice(colon + 1))
  return { host: text.slice(0, colon).replaceAll(/[[\]]/g, ''), port: port === 0 ? 0 : port + MEMBER.number - 1 }
}

async function stateOf({ services, store, sessions, version }: Context): Promise<Metric[]> {
  const { entries, bytes } = await services.previewCache.size(OPERATOR)
  const { users, shares, roots, maintenance } = store.snapshot()
  const away = new Set(services.rootWatch.away().map(({ root }) => root.id))
  return [
    gauge('filemgr_info', 'Always 1, with the version of this daemon.', { labels: { version }, value: 1 }),
    gauge('filemgr_users', 'Accounts.', users.length),
    gauge('filemgr_shares', 'Public links.', shares.length),
    gauge('filemgr_sessions', 'Signed-in devices.', sessions.all().length),
    gauge(
      'filemgr_root_away',
      '1 while this daemon cannot reach a root.',
      ...roots.map(({ id, name }) => ({ labels: { root: name }, value: away.has(id) ? 1 : 0 })),
    ),
    gauge('filemgr_maintenance', '1 during maintenance.', maintenance === undefined ? 0 : 1),
    gauge('filemgr_thumbnails', 'Thumbnails in the cache.', entries),
    gauge('filemgr_thumbnail_bytes', 'Size of the thumbnail cache.', bytes),
  ]
}

/** Under the names that other programs use, so that dashboards for Node show them. */
function processState(loop: ReturnType<typeof monitorEventLoopDelay>): Metric[] {
  const { user, system } = process.cpuUsage()
  // The monitor counts the time between two measurements as delay.
  const seconds = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e9 - RESOLUTION / 1000)
  const [mean, most] = [seconds(loop.mean), seconds(loop.max)]
  // Each reading covers the time since the one before.
  loop.reset()
  const cpu = new Counter('process_cpu_seconds_total', 'Processor time.')
  cpu.add((user + system) / 1e6)
  return [
    cpu,
    gauge('process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    gauge('process_start_time_seconds', 'Start, in seconds since 1970.', Date.now() / 1000 - process.uptime()),
    gauge('nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop since the last reading.', mean),
    gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of the event loop since the last reading.', most),
  ]
}

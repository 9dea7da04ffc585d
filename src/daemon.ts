import type { AddressInfo } from 'node:net'
import type { Context } from './context.ts'
import { listenFailure, listenOptions, reachableUrls, withSocketMode } from './daemon/listen.ts'
import { Connections } from './http/connections.ts'
import type { TlsFiles } from './platform/network/tls-files.ts'

/**
 * How long requests may go on after the daemon was told to stop, in milliseconds. Docker kills after ten seconds: two are left
 * to save what is open.
 */
const GRACE = 8000

/** The running server. Disposing it lets requests end, for some seconds at most; the context stays open. */
export interface Daemon extends AsyncDisposable {
  /** Where people reach it, the nearest first: `unix:/path` for a socket. */
  readonly urls: readonly [string, ...string[]]
  /** New connections get it; those that are open keep theirs. */
  renewCertificate(tls: TlsFiles): void
}

export interface DaemonOptions {
  readonly context: Context
  readonly tls?: TlsFiles | undefined
  readonly grace?: number
  readonly onPublicUrl?: (url: string) => void
}

/**
 * Listens where the options of the context say.
 *
 * @throws INVALID_INPUT when the address or port is not to be had
 */
export async function startDaemon({ context, tls, grace = GRACE, onPublicUrl }: DaemonOptions): Promise<Daemon> {
  const { options } = context
  const [{ buildApp }, { CONNECTION_LIMITS }] = await Promise.all([
    import('./http/app.ts'),
    import('./http/framework-options.ts'),
  ])
  const connections = new Connections({ ...CONNECTION_LIMITS, ...tls })
  const app = await buildApp(context, {
    createServer: connections.createServer,
    ...(onPublicUrl && { onPublicUrl }),
  })
  try {
    await withSocketMode(options, async () => await app.listen(listenOptions(options)))
  } catch (error) {
    await app.close()
    throw listenFailure(error, options)
  }
  const maintenance = context.services.maintenance.start()
  return {
    urls: urlsOf(context, app.server.address()),
    renewCertificate: (files) => connections.renewCertificate(files),
    async [Symbol.asyncDispose]() {
      await connections.close(app, grace)
      await maintenance[Symbol.asyncDispose]()
    },
  }
}

function urlsOf({ options }: Context, address: AddressInfo | string | null): [string, ...string[]] {
  if (address === null || typeof address === 'string') return [`unix:${options.socket}`]
  const [first = `http://${options.address}:${address.port}/`, ...others] = reachableUrls(options, address.port)
  return [first, ...others]
}

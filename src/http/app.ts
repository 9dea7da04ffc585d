import cookie from '@fastify/cookie'
import { fastify, type FastifyInstance, type FastifyServerFactory } from 'fastify'
import { openTerminal } from '../api/automation/terminal.ts'
import type { Operation } from '../api/operation.ts'
import { live } from '../api/server/server.ts'
import type { Context } from '../context.ts'
import { baseOf } from '../domain/server/server-options.ts'
import { serverOptions } from './framework-options.ts'
import { audit } from './plugins/audit.ts'
import { authentication, requestEnd } from './plugins/authentication.ts'
import { cleanAddresses, knownHosts, requestFormat } from './plugins/request-checks.ts'
import { errors } from './plugins/errors.ts'
import { factorGuard, maintenanceGuard, operationGuard, shareGuard } from './plugins/route-guards.ts'
import { notFound } from './page/not-found.ts'
import { idleConnections, refusedUpgrades, unreadBodies } from './plugins/slow-clients.ts'
import { publicUrl } from './plugins/public-url.ts'
import { finishedRequests, type RequestListener, requestLog } from './plugins/request-log.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { BUILT_PAGE, readBuiltPage, staticUi } from './page/static-files.ts'
import { compileValidator } from './protocol/validation.ts'
import { routes } from './routes.ts'

export interface AppOptions {
  /** Folder of the built page. */
  readonly uiFolder?: string
  /** Milliseconds in which the body of a call must arrive, except for uploads. */
  readonly bodyTime?: number
  readonly createServer?: FastifyServerFactory
  /** True once load balancers should send no more requests. */
  readonly isStopping?: () => boolean
  /** Called with the public address that a trusted proxy reports. */
  readonly onPublicUrl?: (url: string) => void
  /** Called with every request that is finished. */
  readonly onFinished?: readonly RequestListener[]
}

/** The complete HTTP application, ready to listen or for `inject`. The caller closes it. */
export async function buildApp(context: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const { bodyTime = 30_000, createServer, isStopping = () => false, onPublicUrl, onFinished = [] } = options
  const app = fastify({ ...serverOptions(context), ...(createServer && { serverFactory: createServer }) })
  app.setValidatorCompiler(compileValidator)
  app.removeAllContentTypeParsers()
  // Some old clients sign in with a GET that has a body.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })

  operationGuard(app)
  refusedUpgrades(app)
  requestLog(app, context)
  if (onFinished.length > 0) finishedRequests(app, onFinished)
  audit(app, context)
  errors(app, context)
  unreadBodies(app, 10 * bodyTime)
  idleConnections(app)
  securityHeaders(app)
  knownHosts(app, context)
  cleanAddresses(app)
  freshStore(app, context)
  await app.register(cookie)
  authentication(app, context)
  if (onPublicUrl !== undefined) publicUrl(app, context, onPublicUrl)
  shareGuard(app, context)
  requestEnd(app, context)
  factorGuard(app, context)
  maintenanceGuard(app, context)
  requestFormat(app)
  const page = await readBuiltPage(options.uiFolder ?? BUILT_PAGE)
  notFound(app, { context, template: page.template })
  await app.register(
    async (scope) => {
      await staticUi(scope, { page, context })
      await routes(scope, { context, bodyTime, isStopping })
    },
    { prefix: baseOf(context.options) },
  )
  await app.ready()
  return await app
}

/**
 * If daemons share the store, fetches their changes before each request, and replies 503 while the database is unreachable:
 * otherwise a session that another daemon has ended would stay valid here. The operator may allow reads to go on for some time.
 */
function freshStore(app: FastifyInstance, { store, options }: Context): void {
  if (store.refresh === undefined) return
  const outage = options.storeOutage * 1000

  app.addHook('onRequest', async (request) => {
    const { page, operation } = request.routeOptions.config
    if (request.is404 || page === true || operation?.id === live.id) return
    await store.refresh?.(isRead(operation) ? { outage } : {})
  })
}

/** The terminal begins with a GET, but its programs may change anything. */
function isRead(operation: Operation | undefined): boolean {
  return operation?.method === 'GET' && operation.id !== openTerminal.id
}

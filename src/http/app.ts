import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import { fastify, type FastifyInstance, type FastifyServerFactory } from 'fastify'
import type { Context } from '../context.ts'
import { baseOf } from './protocol/request-path.ts'
import { serverOptions } from './framework-options.ts'
import { audit } from './plugins/audit.ts'
import { authentication, sessionEnd } from './plugins/authentication.ts'
import { cleanAddresses, knownHosts, requestFormat } from './plugins/request-checks.ts'
import { errors } from './plugins/errors.ts'
import { notFound } from './page/not-found.ts'
import { operationGuard, shareGuard } from './plugins/route-guards.ts'
import { idleConnections, refusedUpgrades, unreadBodies } from './plugins/slow-clients.ts'
import { requestLog } from './plugins/request-log.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { BUILT_PAGE, readBuiltPage, staticUi } from './page/static-files.ts'
import { routes } from './routes.ts'
import { SMALLEST_COMPRESSED } from './send/send.ts'
import { compileValidator } from './protocol/validation.ts'

export interface AppOptions {
  /** Folder of the built page. */
  readonly uiFolder?: string
  /** Milliseconds in which the body of a call that is no upload has to arrive. */
  readonly bodyTime?: number
  /** Makes the server that listens. */
  readonly createServer?: FastifyServerFactory
}

/** The whole HTTP side, ready to listen or to be asked by `inject`. Closing it is the caller's. */
export async function buildApp(context: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const { bodyTime = 30_000, createServer } = options
  const app = fastify({ ...serverOptions(context), ...(createServer && { serverFactory: createServer }) })
  app.setValidatorCompiler(compileValidator)
  app.removeAllContentTypeParsers()
  // Old clients sign in by GET too, with a body.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })

  await app.register(operationGuard)
  await app.register(refusedUpgrades)
  await app.register(requestLog, { context })
  await app.register(audit, { context })
  await app.register(errors, { context })
  await app.register(unreadBodies, { time: 10 * bodyTime })
  await app.register(idleConnections)
  await app.register(securityHeaders)
  await app.register(knownHosts, { context })
  await app.register(cleanAddresses)
  await app.register(authentication, { context })
  await app.register(sessionEnd, { context })
  await app.register(shareGuard, { context })
  await app.register(requestFormat)
  await app.register(compress, {
    global: false,
    threshold: SMALLEST_COMPRESSED,
    encodings: ['zstd', 'br', 'gzip'],
    // The fastest of each still takes nine tenths off a listing.
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  })
  const page = await readBuiltPage(options.uiFolder ?? BUILT_PAGE)
  await app.register(notFound, { context, template: page.template })
  await app.register(
    async (scope) => {
      await scope.register(staticUi, { page, context })
      await scope.register(routes, { context, bodyTime })
    },
    { prefix: baseOf(context.options) },
  )
  await app.ready()
  return await app
}

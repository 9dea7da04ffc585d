import type { FastifyInstance, FastifyRequest } from 'fastify'
import { OPERATIONS } from '../../api/index.ts'
import type { Context } from '../../context.ts'
import { baseOf } from '../../domain/server/server-options.ts'
import { PRIVATE } from './security-headers.ts'
import { clientOf, sharePasswordOf, splitShared } from '../protocol/caller.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { endRequest } from './authentication.ts'

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Default deny: the daemon does not start if a route has no operation, which declares its access, or an operation no route. */
export function operationGuard(app: FastifyInstance): void {
  const mounted = new Set<string>()

  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.operation !== undefined) mounted.add(config.operation.id)
    else if (config?.page !== true) throw new Error(`the route ${String(method)} ${url} has no operation`)
  })

  app.addHook('onReady', async () => {
    const missing = OPERATIONS.filter(({ id }) => !mounted.has(id)).map(({ id }) => id)
    if (missing.length > 0) throw new Error(`operations without a route: ${missing.join(', ')}`)
  })
}

/**
 * Guards everything beneath /api/public/: no route there runs before the link and its password have been checked
 * (CVE-2025-52996, CVE-2026-27611). The daemon does not start if a route there is not declared with access "share", so that
 * none can bypass the guard.
 */
export function shareGuard(app: FastifyInstance, context: Context): void {
  const prefix = `${baseOf(context.options)}/api/public/`
  const isGuarded = (request: FastifyRequest) => !request.is404 && request.routeOptions.config.access === 'share'
  app.decorateRequest('visit', undefined)

  app.addHook('onRoute', ({ config, url }) => {
    if (url.startsWith(prefix) !== (config?.access === 'share'))
      throw new Error(`the route ${url} must have access "share" if and only if it is beneath ${prefix}`)
  })

  const enter = async (request: FastifyRequest): Promise<void> => {
    const { hash } = splitShared((request.params as { readonly '*': string })['*'])
    const { token } = request.query as { readonly token?: unknown }
    request.visit = await context.services.visits.enter({
      hash,
      password: sharePasswordOf(request.headers),
      token: typeof token === 'string' ? token : undefined,
      address: clientOf(request).address,
    })
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (!isGuarded(request)) done()
    // Shares are read-only, whatever routes are added later (CVE-2026-44542), except for routes that declare `takesInput`.
    else if (!READING.has(request.method) && request.routeOptions.config.takesInput !== true)
      void reply.code(405).send()
    else enter(request).then(() => done(), done)
  })

  // Last, to override the cache headers of sent files.
  app.addHook('onSend', async (request, reply, payload) => {
    if (isGuarded(request)) void reply.headers(PRIVATE)
    return payload
  })
}

/**
 * Lets only administrators in during maintenance. When it begins, uploads of others are cut off, since they can be sent again.
 * Their other running requests go on, and are counted so that an administrator can wait for them.
 */
export function maintenanceGuard(app: FastifyInstance, { services: { maintenance } }: Context): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { access, operation, page, endsItself } = request.routeOptions.config
    if (request.is404 || page === true || access === 'public') return done()
    const user = request.actor?.kind === 'user' ? request.actor.user() : undefined
    const refusal = maintenance.refusalOf(user)
    if (refusal !== undefined) return done(refusal)
    if (endsItself !== true && (user === undefined || !isAdministrator(user))) {
      const isUpload = operation?.bodyKind === 'bytes' || operation?.bodyKind === 'files'
      const ended = maintenance.track(isUpload ? (error) => endRequest(request, reply, error) : undefined)
      // "finish" does not fire if the client disconnects.
      reply.raw.once('finish', ended).once('close', ended)
    }
    done()
  })
}

/**
 * Lets people who must set up a second factor do nothing else, whatever they ask for: also what runs ends once the time for it is
 * over. API tokens are not asked.
 */
export function factorGuard(app: FastifyInstance, { services: { factorRequirement } }: Context): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    const { actor } = request
    if (request.is404 || actor === undefined || operation?.setsUpFactor === true) return done()
    const refusal = factorRequirement.refusalOf(actor)
    if (refusal === undefined && actor.kind === 'user')
      actor.passed.add(() => {
        const late = factorRequirement.refusalOf(actor)
        if (late !== undefined) throw late
      })
    return done(refusal)
  })
}

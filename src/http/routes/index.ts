import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { multipartBodies } from '../plugins/multipart-bodies.ts'
import { refuseSlowBodies } from '../plugins/slow-bodies.ts'
import { parseBody } from '../protocol/json-body.ts'
import { auditRoutes } from './audit.ts'
import { authRoutes } from './auth.ts'
import { backupRoutes, restoreRoutes } from './backup.ts'
import { cacheRoutes } from './cache.ts'
import { eventRoutes } from './events.ts'
import { hookRoutes } from './hooks.ts'
import { brandingRoutes, brandingUploads } from './branding.ts'
import { jobRoutes } from './jobs.ts'
import { publicRoutes } from './public.ts'
import { previewRoutes } from './preview.ts'
import { rawRoutes } from './raw.ts'
import { readingRoutes, transferRoutes, uploadRoutes } from './resources.ts'
import { ruleRoutes } from './rules.ts'
import { searchRoutes } from './search.ts'
import { serverOptionRoutes, serverRoutes } from './server.ts'
import { sessionRoutes } from './sessions.ts'
import { settingsRoutes } from './settings.ts'
import { shareRoutes } from './shares.ts'
import { subtitleRoutes } from './subtitle.ts'
import { terminalRoutes } from './terminal.ts'
import { trashRoutes } from './trash.ts'
import { tusRoutes } from './tus.ts'
import { usageRoutes } from './usage.ts'
import { userRoutes } from './users.ts'

export interface RoutesOptions {
  readonly context: Context
  /** Milliseconds in which the body of a call that is no upload has to arrive. */
  readonly bodyTime: number
}

/** All routes, in groups: those that take JSON, those whose body is a stream of bytes, and those that take files of a form. */
export async function routes(app: FastifyInstance, { context, bodyTime }: RoutesOptions): Promise<void> {
  await app.register(async (json) => {
    // Whatever the Content-Type says: the pages of the original send JSON without one.
    json.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, text: string) => {
      const { operation, placeholderBody } = request.routeOptions.config
      return operation?.body === undefined || placeholderBody?.() !== undefined ? undefined : parseBody(text)
    })
    refuseSlowBodies(json, bodyTime)
    serverRoutes(json, context)
    authRoutes(json, context)
    sessionRoutes(json, context)
    userRoutes(json, context)
    settingsRoutes(json, context)
    serverOptionRoutes(json, context)
    ruleRoutes(json, context)
    hookRoutes(json, context)
    // In a scope of its own: the plugin of WebSockets opens one at every route that comes after it.
    await json.register(async (sockets) => await terminalRoutes(sockets, context))
    brandingRoutes(json, context)
    backupRoutes(json, context)
    auditRoutes(json, context)
    readingRoutes(json, context)
    transferRoutes(json, context)
    jobRoutes(json, context)
    eventRoutes(json, context)
    trashRoutes(json, context)
    shareRoutes(json, context)
    publicRoutes(json, context)
    rawRoutes(json, context)
    previewRoutes(json, context)
    cacheRoutes(json, context)
    subtitleRoutes(json, context)
    usageRoutes(json, context)
    searchRoutes(json, context)
  })

  await app.register(async (bytes) => {
    bytes.addContentTypeParser('*', async () => undefined)
    uploadRoutes(bytes, context)
    tusRoutes(bytes, context)
    restoreRoutes(bytes, context)
  })

  await app.register(async (files) => {
    await files.register(multipartBodies)
    brandingUploads(files, context)
  })
}

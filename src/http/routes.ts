import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { multipartBodies } from './protocol/forms.ts'
import { brandingRoutes, brandingUploads } from './routes/branding.ts'
import { refuseSlowBodies } from './plugins/slow-clients.ts'
import { parseBody } from './protocol/validation.ts'
import {
  auditRoutes,
  hookRoutes,
  maintenanceRoutes,
  serverOptionRoutes,
  serverRoutes,
  webhookRoutes,
} from './routes/server.ts'
import { archiveRoutes } from './routes/archives.ts'
import { authRoutes } from './routes/auth.ts'
import { backupRoutes, restoreRoutes } from './routes/backup.ts'
import { cacheRoutes, previewRoutes, subtitleRoutes } from './routes/previews.ts'
import { eventRoutes } from './routes/events.ts'
import { jobRoutes, renameRoutes, transferRoutes, trashRoutes } from './routes/transfers.ts'
import { publicRoutes } from './routes/public.ts'
import { publicUploadRoutes } from './routes/public-uploads.ts'
import { rawRoutes, readingRoutes, uploadRoutes, usageRoutes } from './routes/files.ts'
import { ruleRoutes, settingsRoutes } from './routes/settings.ts'
import { searchRoutes } from './routes/search.ts'
import { quotaRoutes, sessionRoutes, tokenRoutes, userRoutes } from './routes/users.ts'
import { shareRoutes } from './routes/shares.ts'
import { smallUploadRoutes } from './routes/small-uploads.ts'
import { terminalRoutes } from './routes/terminal.ts'
import { tusRoutes } from './routes/uploads.ts'

export interface RoutesOptions {
  readonly context: Context
  /** Milliseconds in which the body of a call must arrive, except for uploads. */
  readonly bodyTime: number
  readonly isStopping: () => boolean
}

/** All routes, grouped by body: JSON, a stream of bytes, or files of a form. */
export async function routes(app: FastifyInstance, { context, bodyTime, isStopping }: RoutesOptions): Promise<void> {
  await app.register(async (json) => {
    // The Content-Type does not matter: the page of the original sends JSON without one.
    json.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, text: string) => {
      const { operation, placeholderBody } = request.routeOptions.config
      return operation?.body === undefined || placeholderBody?.() !== undefined ? undefined : parseBody(text)
    })
    refuseSlowBodies(json, bodyTime)
    serverRoutes(json, context, isStopping)
    authRoutes(json, context)
    sessionRoutes(json, context)
    tokenRoutes(json, context)
    userRoutes(json, context)
    quotaRoutes(json, context)
    settingsRoutes(json, context)
    serverOptionRoutes(json, context)
    ruleRoutes(json, context)
    hookRoutes(json, context)
    webhookRoutes(json, context)
    // Encapsulated, because the WebSocket plugin adds a handler to every route registered after it.
    await json.register(async (sockets) => await terminalRoutes(sockets, context))
    brandingRoutes(json, context)
    backupRoutes(json, context)
    auditRoutes(json, context)
    maintenanceRoutes(json, context)
    readingRoutes(json, context)
    transferRoutes(json, context)
    renameRoutes(json, context)
    archiveRoutes(json, context)
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
    publicUploadRoutes(bytes, context)
    restoreRoutes(bytes, context)
  })

  await app.register(async (files) => {
    await multipartBodies(files)
    brandingUploads(files, context)
    smallUploadRoutes(files, context)
  })
}

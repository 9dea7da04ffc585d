import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { multipartBodies } from './protocol/forms.ts'
import { brandingUploads } from './routes/settings/branding.ts'
import { refuseSlowBodies } from './plugins/slow-clients.ts'
import { mountHandlers } from './mount.ts'
import { parseBody } from './protocol/validation.ts'
import { auditRoutes } from './routes/server/audit.ts'
import { serverOptionRoutes } from './routes/server/server-options.ts'
import { serverRoutes } from './routes/server/server.ts'
import { archiveRoutes } from './routes/files/archives.ts'
import { authRoutes } from './routes/accounts/auth.ts'
import { factorRoutes } from './routes/accounts/factors.ts'
import { backupRoutes, restoreRoutes } from './routes/server/backup.ts'
import { pictureRoutes } from './routes/files/pictures.ts'
import { previewRoutes } from './routes/files/previews.ts'
import { subtitleRoutes } from './routes/files/subtitles.ts'
import { encodingRoutes } from './routes/files/encodings.ts'
import { eventRoutes } from './routes/automation/events.ts'
import { fileChangeRoutes } from './routes/files/files-changes.ts'
import { fileRoutes, uploadRoutes } from './routes/files/files.ts'
import { trashRoutes } from './routes/files/trash.ts'
import { publicRoutes } from './routes/shares/public.ts'
import { publicUploadRoutes } from './routes/shares/public-uploads.ts'
import { rawRoutes } from './routes/files/downloads.ts'
import { usageRoutes } from './routes/files/usage.ts'
import { settingsRoutes } from './routes/settings/settings.ts'
import { searchRoutes } from './routes/files/search.ts'
import { directoryRoutes } from './routes/accounts/directories.ts'
import { identityRoutes } from './routes/accounts/identities.ts'
import { providerRoutes } from './routes/accounts/providers.ts'
import { userRoutes } from './routes/accounts/users.ts'
import { shareRoutes } from './routes/shares/shares.ts'
import { smallUploadRoutes } from './routes/files/files-create-many.ts'
import { terminalRoutes } from './routes/automation/terminal.ts'
import { tusRoutes } from './routes/uploads/uploads.ts'

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
      if (operation?.bodyKind === 'form') return Object.fromEntries(new URLSearchParams(text))
      return operation?.body === undefined || placeholderBody?.() !== undefined ? undefined : parseBody(text)
    })
    refuseSlowBodies(json, bodyTime)
    serverRoutes(json, context, isStopping)
    authRoutes(json, context)
    providerRoutes(json, context)
    identityRoutes(json, context)
    directoryRoutes(json, context)
    factorRoutes(json, context)
    userRoutes(json, context)
    settingsRoutes(json, context)
    serverOptionRoutes(json, context)
    // Encapsulated, because the WebSocket plugin adds a handler to every route registered after it.
    await json.register(async (sockets) => await terminalRoutes(sockets, context))
    backupRoutes(json, context)
    auditRoutes(json, context)
    fileRoutes(json, context)
    fileChangeRoutes(json, context)
    encodingRoutes(json, context)
    archiveRoutes(json, context)
    eventRoutes(json, context)
    trashRoutes(json, context)
    shareRoutes(json)
    publicRoutes(json, context)
    rawRoutes(json, context)
    previewRoutes(json, context)
    pictureRoutes(json, context)
    subtitleRoutes(json, context)
    usageRoutes(json, context)
    searchRoutes(json, context)
    mountHandlers(json, context)
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

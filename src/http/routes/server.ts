import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { health, live, openapi, ready } from '../../api/server/server.ts'
import { getServer, updateServer } from '../../api/server/server-options.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../domain/errors.ts'
import { isBucketUrl } from '../../domain/settings/bucket-url.ts'
import { baseOf } from '../../domain/settings/server-options.ts'
import { mount } from '../mount.ts'
import { exportAudit, listAudit } from '../../api/server/audit.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import { AUDIT_CSV_HEAD, AUDIT_FORMATS, type AuditFormat, auditLine } from '../../domain/audit-text.ts'
import { disposition } from '../send/disposition.ts'
import { sendStream } from '../send/send.ts'
import { beginMaintenance, endMaintenance, getMaintenance } from '../../api/server/maintenance.ts'
import { addHook, changeHook, listHooks, removeHook, testHook } from '../../api/server/hooks.ts'
import { addWebhook, changeWebhook, listWebhooks, removeWebhook, testWebhook } from '../../api/server/webhooks.ts'

/** Milliseconds that a bucket has to answer a probe: less than most balancers wait. */
const PROBE_TIME = 4000

/** @param isStopping true once load balancers should send no more requests */
export function serverRoutes(app: FastifyInstance, { options, storage, version }: Context, isStopping: () => boolean) {
  const requireReady = async (): Promise<void> => {
    if (isStopping()) fail('UNAVAILABLE', 'this server is stopping', { retryAfter: 1 })
    if (isBucketUrl(options.root)) await requireBucket(storage)
    else await storage.ready()
  }

  mount(app, health, async ({ reply }) => {
    await requireReady()
    // Some monitors also compare the Content-Type.
    void reply.removeHeader('cache-control').type('text/plain; charset=utf-8')
    return await reply.send('{"status":"OK"}')
  })

  mount(app, live, () => ({ status: 'OK' as const }))

  mount(app, ready, async () => {
    await requireReady()
    return { status: 'OK' as const }
  })

  let document: object | undefined
  mount(app, openapi, async () => {
    // Loaded on demand, since it is rarely requested.
    const { openapiDocument } = await import('../openapi.ts')
    return (document ??= openapiDocument({ version, base: baseOf(options) }))
  })
}

/** Reveals no names and reasons, since anyone can call this. @throws UNAVAILABLE */
async function requireBucket(storage: Context['storage']): Promise<void> {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), PROBE_TIME)
  try {
    await Promise.race([storage.ready(), overdue])
  } catch (cause) {
    fail('UNAVAILABLE', 'the bucket is not available; "filemgr doctor" says why', { retryAfter: 5 }, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Start-up values. */
export function serverOptionRoutes(app: FastifyInstance, { services: { serverOptions } }: Context): void {
  mount(app, getServer, ({ actor, reply }) => {
    const values = serverOptions.get(actor)
    void reply.header('etag', serverOptions.etag())
    return values
  })

  mount(app, updateServer, async ({ actor, body, request, reply }) => {
    const conditions = { ifMatch: request.headers['if-match'], currentPassword: body.current_password }
    await serverOptions.replace(actor, body.values, conditions)
    void reply.header('etag', serverOptions.etag())
    return undefined
  })
}

export function maintenanceRoutes(app: FastifyInstance, { services: { maintenance } }: Context): void {
  mount(app, getMaintenance, ({ actor }) => maintenance.status(actor))

  mount(app, beginMaintenance, async ({ actor, body }) => await maintenance.begin(actor, body))

  mount(app, endMaintenance, async ({ actor }) => await maintenance.end(actor))
}

export function auditRoutes(app: FastifyInstance, { services, clock }: Context): void {
  mount(app, listAudit, async ({ actor, query }) => await services.audit.page(actor, query))

  mount(app, exportAudit, async ({ actor, query: { format = 'csv', ...query }, reply }) => {
    const entries = services.audit.all(actor, query)
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    void reply.headers({
      'content-type': AUDIT_FORMATS[format],
      'content-disposition': disposition('attachment', `filemgr-activity-${day}.${format}`),
    })
    return await sendStream(reply, Readable.from(linesOf(entries, format), { objectMode: false }))
  })
}

/** Characters that are gathered, so that not each line is written on its own. */
const PART = 64 * 1024

async function* linesOf(entries: AsyncIterable<AuditEntry>, format: AuditFormat): AsyncGenerator<string> {
  let part = format === 'csv' ? AUDIT_CSV_HEAD : ''
  for await (const entry of entries) {
    part += auditLine(entry, format)
    if (part.length < PART) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

export function hookRoutes(app: FastifyInstance, { services: { hooks } }: Context): void {
  mount(app, listHooks, ({ actor }) => hooks.list(actor))

  mount(app, addHook, async ({ actor, body }) => await hooks.add(actor, body))

  mount(app, changeHook, async ({ actor, params, body }) => await hooks.change(actor, params.id, body))

  mount(app, removeHook, async ({ actor, params }) => {
    await hooks.remove(actor, params.id)
    return undefined
  })

  mount(app, testHook, async ({ actor, params, signal }) => await hooks.test(actor, params.id, signal))
}

export function webhookRoutes(app: FastifyInstance, { services: { webhooks } }: Context): void {
  mount(app, listWebhooks, async ({ actor }) => await webhooks.list(actor))

  mount(app, addWebhook, async ({ actor, body }) => await webhooks.add(actor, body))

  mount(app, changeWebhook, async ({ actor, params, body }) => await webhooks.change(actor, params.id, body))

  mount(app, removeWebhook, async ({ actor, params }) => {
    await webhooks.remove(actor, params.id)
    return undefined
  })

  mount(app, testWebhook, async ({ actor, params, signal }) => await webhooks.test(actor, params.id, signal))
}

import type { FastifyInstance } from 'fastify'
import { health, live, openapi, ready } from '../../../api/server/server.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../domain/errors.ts'
import { isBucketUrl } from '../../../domain/server/addresses.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import { mount } from '../../mount.ts'

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
    const { openapiDocument } = await import('../../openapi/openapi.ts')
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

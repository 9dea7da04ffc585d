import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../../api/operation.ts'
import { appendUpload, beginUpload, continueDirectly, discardUpload, getUpload } from '../../../api/uploads/uploads.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../domain/errors.ts'
import { mount } from '../../mount.ts'
import { sentTarget } from '../../protocol/request-path.ts'
import { createTus, TUS_CAPABILITIES, type TusCall } from '../../protocol/tus.ts'

/** For the routes by which an expired session may continue its own uploads. */
const ALLOWS_EXPIRED = { allowsExpiredSession: true } as const

/** Resumable uploads of users: the address of one is the path of its file. */
export function tusRoutes(app: FastifyInstance, context: Context): void {
  const tus = createTus(context)

  mount(app, beginUpload, async (call) => {
    const { pathname } = new URL(sentTarget(call.request).path, 'http://localhost')
    const addressOf = (_id: string, name = '') => pathname + encodeURIComponent(name)
    return await tus.begin(tusCall(call), call.query.override === 'true', addressOf)
  })

  mount(app, getUpload, async (call) => await tus.describe(tusCall(call)))
  const { path: url } = getUpload
  app.route({
    url,
    method: 'HEAD',
    config: { operation: getUpload, access: 'user', ...ALLOWS_EXPIRED },
    handler: async (request, reply) => await tus.describe(tusCall({ request, reply })),
  })

  mount(app, appendUpload, async (call) => await tus.append(tusCall(call)), ALLOWS_EXPIRED)
  mount(app, discardUpload, async (call) => await tus.discard(tusCall(call)), ALLOWS_EXPIRED)
  mount(app, continueDirectly, async (call) => await tus.direct(tusCall(call)), ALLOWS_EXPIRED)

  const operation: Operation = beginUpload
  app.route({
    url,
    method: 'OPTIONS',
    config: { operation, access: 'public' },
    handler: async (_request, reply) => await reply.code(204).headers(TUS_CAPABILITIES).send(),
  })
}

function tusCall({ request, reply }: Pick<TusCall, 'request' | 'reply'>): TusCall {
  const uploader = request.actor ?? fail('UNAUTHENTICATED', 'sign in first')
  return { uploader, text: `/${(request.params as Record<string, string>)['*'] ?? ''}`, request, reply }
}

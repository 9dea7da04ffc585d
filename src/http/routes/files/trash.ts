import type { FastifyInstance } from 'fastify'
import { restoreTrash } from '../../../api/files/trash.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import type { Context } from '../../../context.ts'
import { trashHandlers } from '../../../operations/files/trash.ts'
import { mount, mountHandler } from '../../mount.ts'
import { awaitJob } from '../../send/await-job.ts'

export function trashRoutes(app: FastifyInstance, context: Context): void {
  const { services, options } = context
  mountHandler(app, context, trashHandlers.list)
  mount(app, restoreTrash, async ({ actor, params, request, reply }) => {
    const { path, job } = await services.trash.restore(actor, params.id)
    if (job !== undefined && (await awaitJob(request, reply, job, baseOf(options))) === undefined) return await reply
    return { path }
  })
  mountHandler(app, context, trashHandlers.remove)
  mountHandler(app, context, trashHandlers.empty)
}

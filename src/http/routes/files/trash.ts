import type { FastifyInstance } from 'fastify'
import { emptyTrash, listTrash, removeTrash, restoreTrash } from '../../../api/files/trash.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { awaitJob } from '../../send/await-job.ts'

export function trashRoutes(app: FastifyInstance, { services: { trash }, options }: Context): void {
  mount(app, listTrash, async ({ actor }) => await trash.list(actor))
  mount(app, restoreTrash, async ({ actor, params, request, reply }) => {
    const { path, job } = await trash.restore(actor, params.id)
    if (job !== undefined && (await awaitJob(request, reply, job, baseOf(options))) === undefined) return await reply
    return { path }
  })
  mount(app, removeTrash, async ({ actor, params, signal }) => {
    await trash.remove(actor, params.id, { signal })
  })
  mount(app, emptyTrash, async ({ actor, signal }) => {
    await trash.empty(actor, signal)
  })
}

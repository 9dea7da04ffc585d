import type { FastifyInstance } from 'fastify'
import { restoreTrash } from '../../../api/files/trash.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { awaitJob } from '../../send/await-job.ts'

export function trashRoutes(app: FastifyInstance, { services, options }: Context): void {
  mount(app, restoreTrash, async ({ actor, params, request, reply }) => {
    const { path, job } = await services.trash.restore(actor, params.id)
    if (job !== undefined && (await awaitJob(request, reply, job, baseOf(options))) === undefined) return await reply
    return { path }
  })
}

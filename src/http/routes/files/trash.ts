import type { FastifyInstance } from 'fastify'
import { changeTrash, removeTrash, restoreTrash } from '../../../api/files/trash.ts'
import { baseOf } from '../../../domain/server/server-options.ts'
import type { Context } from '../../../context.ts'
import { type Handler, mount } from '../../mount.ts'
import { awaitJob } from '../../send/await-job.ts'
import { changeLogOf } from './files-changes.ts'

export function trashRoutes(app: FastifyInstance, { services, options }: Context): void {
  mount(app, restoreTrash, async ({ actor, params, request, reply }) => {
    const { path, job } = await services.trash.restore(actor, params.id)
    if (job !== undefined && (await awaitJob(request, reply, job, baseOf(options))) === undefined) return await reply
    return { path }
  })

  const changeAll: Handler<typeof changeTrash> = async ({ actor, body, request, signal }) => {
    const action = body.action === 'restore' ? restoreTrash.id : removeTrash.id
    const log = changeLogOf(request)
    return await services.changeTrash(actor, body, {
      onChanged: (path, refused) => log({ path, action }, undefined, refused),
      signal,
    })
  }
  mount(app, changeTrash, changeAll)
}

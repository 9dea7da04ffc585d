import type { FastifyInstance } from 'fastify'
import { emptyTrash, listTrash, removeTrash, restoreTrash } from '../../api/trash.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'

export function trashRoutes(app: FastifyInstance, { services: { trash } }: Context): void {
  mount(app, listTrash, async ({ actor }) => await trash.list(actor))
  mount(app, restoreTrash, async ({ actor, params, signal }) => ({
    path: await trash.restore(actor, params.id, { signal }),
  }))
  mount(app, removeTrash, async ({ actor, params, signal }) => {
    await trash.remove(actor, params.id, { signal })
  })
  mount(app, emptyTrash, async ({ actor, signal }) => {
    await trash.empty(actor, signal)
  })
}

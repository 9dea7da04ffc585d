import type { FastifyInstance } from 'fastify'
import { emptyTrash, listTrash, removeTrash, restoreTrash } from '../../api/trash.ts'
import type { Context } from '../../context.ts'
import { mount } from '../mount.ts'

export function trashRoutes(app: FastifyInstance, { services: { trash } }: Context): void {
  mount(app, listTrash, async ({ actor }) => await trash.list(actor))
  mount(app, restoreTrash, async ({ actor, params }) => ({ path: await trash.restore(actor, params.id) }))
  mount(app, removeTrash, async ({ actor, params }) => {
    await trash.remove(actor, params.id)
  })
  mount(app, emptyTrash, async ({ actor }) => {
    await trash.empty(actor)
  })
}

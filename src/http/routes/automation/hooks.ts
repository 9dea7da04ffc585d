import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import { mount } from '../../mount.ts'
import { addHook, changeHook, listHooks, removeHook, testHook } from '../../../api/automation/hooks.ts'

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

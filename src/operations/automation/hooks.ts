import { addHook, changeHook, listHooks, removeHook, testHook } from '../../api/automation/hooks.ts'
import { handler } from '../handler.ts'

export const hookHandlers = {
  list: handler(listHooks, ({ actor }, { services: { hooks } }) => hooks.list(actor)),

  add: handler(
    addHook,
    async ({ actor, body }, { services: { hooks } }) => await hooks.add(actor, body),
    ({ body }) => body.event,
  ),

  change: handler(
    changeHook,
    async ({ actor, params, body }, { services: { hooks } }) => await hooks.change(actor, params.id, body),
  ),

  remove: handler(removeHook, async ({ actor, params }, { services: { hooks } }) => {
    await hooks.remove(actor, params.id)
  }),

  test: handler(
    testHook,
    async ({ actor, params, signal }, { services: { hooks } }) => await hooks.test(actor, params.id, signal),
  ),
}

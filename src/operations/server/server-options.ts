import { updateServerAsOperator } from '../../api/server/operator.ts'
import { getServer } from '../../api/server/server-options.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { handler } from '../handler.ts'

export const serverOptionHandlers = {
  get: handler(getServer, ({ actor }, { services: { serverOptions } }) => serverOptions.get(actor)),

  updateAsOperator: handler(
    updateServerAsOperator,
    async ({ actor, body: { values = {}, reset = [] } }, { services: { serverOptions } }) => {
      if (Object.keys(values).length > 0) await serverOptions.save(actor, values)
      if (reset.length > 0) await serverOptions.forget(actor, reset as (keyof ServerOptions)[])
      return serverOptions.get(actor)
    },
    ({ body: { values = {}, reset = [] } }) => [...Object.keys(values), ...reset].join(' '),
  ),
}

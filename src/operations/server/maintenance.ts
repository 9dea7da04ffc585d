import { beginMaintenance, endMaintenance, getMaintenance } from '../../api/server/maintenance.ts'
import { beginMaintenanceAsOperator } from '../../api/server/operator.ts'
import { handler } from '../handler.ts'

export const maintenanceHandlers = {
  get: handler(getMaintenance, ({ actor }, { services: { maintenance } }) => maintenance.status(actor)),

  begin: handler(
    beginMaintenance,
    async ({ actor, body }, { services: { maintenance } }) => await maintenance.begin(actor, body),
  ),

  end: handler(endMaintenance, async ({ actor }, { services: { maintenance } }) => await maintenance.end(actor)),

  beginAsOperator: handler(
    beginMaintenanceAsOperator,
    async ({ actor, body }, { services: { maintenance, auth } }) => ({
      status: await maintenance.begin(actor, body),
      withoutSignIn: auth.method() === 'noauth',
    }),
  ),
}

import { listAudit } from '../../api/server/audit.ts'
import { handler } from '../handler.ts'

export const auditHandlers = {
  list: handler(listAudit, async ({ actor, query }, { services: { audit } }) => await audit.page(actor, query)),
}

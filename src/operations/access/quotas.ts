import { listQuotasAsOperator, recountQuotas } from '../../api/access/operator.ts'
import { listQuotas, recountQuota } from '../../api/access/quotas.ts'
import { fail } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { accountsNamed } from '../../services/accounts/users/account-names.ts'
import { handler } from '../handler.ts'

export const quotaHandlers = {
  list: handler(listQuotas, async ({ actor }, { services: { quotas } }) => await quotas.list(actor)),

  recount: handler(
    recountQuota,
    async ({ actor, params, signal }, { services: { quotas } }) =>
      await quotas.recount(actor, Number(params.id) as UserId, signal),
  ),

  // A person who asks once waits for the count; the page asks again.
  listAsOperator: handler(
    listQuotasAsOperator,
    async ({ actor, signal }, { services: { quotas } }) =>
      await Array.fromAsync(await quotas.list(actor), async (quota) =>
        quota.used === null ? await quotas.recount(actor, quota.userId as UserId, signal) : quota,
      ),
  ),

  recountAsOperator: handler(recountQuotas, async ({ actor, query: { user }, signal }, { services: { quotas } }) => {
    const all = await quotas.list(actor)
    const chosen =
      user === undefined ? all : [...accountsNamed(all, user), ...all.filter(({ userId }) => user === `id:${userId}`)]
    if (user !== undefined && chosen.length === 0) fail('NOT_FOUND', `there is no user "${user}" with a quota`)
    return await Array.fromAsync(chosen, async ({ userId }) => await quotas.recount(actor, userId as UserId, signal))
  }),
}

import { getSettingsAsOperator, updateSettingsAsOperator } from '../../api/settings/operator.ts'
import { leaves, valueAt } from '../../domain/schema/schema-tools.ts'
import { Settings } from '../../domain/settings/settings.ts'
import { warningWithoutSignIn } from '../../services/accounts/auth/sign-in-problem.ts'
import { handler } from '../handler.ts'

const LEAVES = leaves(Settings)

export const settingsHandlers = {
  getAsOperator: handler(getSettingsAsOperator, (_, { services: { settings } }) => settings.current()),

  updateAsOperator: handler(
    updateSettingsAsOperator,
    async ({ actor, query, body }, { services: { settings }, store, options }) => {
      if (query.dryRun === true) return { settings: settings.check(actor, body) }
      const changed = await settings.patch(actor, body)
      const warning = 'authMethod' in body ? warningWithoutSignIn({ store, options }) : undefined
      return { settings: changed, ...(warning !== undefined && { warning }) }
    },
    // Values may be secrets.
    ({ body }) => LEAVES.flatMap(({ key, path }) => (valueAt(body, path) === undefined ? [] : [key])).join(' '),
  ),
}

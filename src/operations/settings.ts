import { listBranding, removeBranding } from '../api/settings/branding.ts'
import { getSettingsAsOperator, updateSettingsAsOperator, uploadBrandingAsOperator } from '../api/settings/operator.ts'
import { leaves, valueAt } from '../domain/schema/schema-tools.ts'
import { Settings } from '../domain/settings/settings.ts'
import { warningWithoutSignIn } from '../services/accounts/auth/sign-in-problem.ts'
import { handler } from './handler.ts'

const LEAVES = leaves(Settings)

export const settingsHandlers = [
  handler(getSettingsAsOperator, (_, { services: { settings } }) => settings.current()),

  handler(
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

  handler(listBranding, async ({ actor }, { services: { branding } }) => await branding.list(actor)),

  handler(removeBranding, async ({ actor, params: { name } }, { services: { branding } }) => {
    await branding.remove(actor, name)
  }),

  handler(uploadBrandingAsOperator, async ({ actor, params: { name }, body }, { services: { branding } }) => {
    await branding.put(actor, name, body)
    return await branding.list(actor)
  }),
]

import { listBranding, removeBranding } from '../api/settings/branding.ts'
import { getSettingsAsOperator, updateSettingsAsOperator, uploadBrandingAsOperator } from '../api/settings/operator.ts'
import { type Group, groupNamed, nameOfGroup } from '../domain/accounts/group.ts'
import type { GroupId } from '../domain/ids.ts'
import { isRecord, leaves, valueAt } from '../domain/schema/schema-tools.ts'
import { Settings } from '../domain/settings/settings.ts'
import { warningWithoutSignIn } from '../services/accounts/auth/sign-in-problem.ts'
import { handler } from './handler.ts'

const LEAVES = leaves(Settings)

interface Groups {
  readonly groups: readonly Group[]
}

export const settingsHandlers = [
  handler(getSettingsAsOperator, (_, { services: { settings }, store }) =>
    withGroupNames(settings.current(), store.snapshot()),
  ),

  handler(
    updateSettingsAsOperator,
    async ({ actor, query, body }, { services: { settings }, store, options }) => {
      const change = withGroupIds(body, store.snapshot())
      if (query.dryRun === true) return { settings: withGroupNames(settings.check(actor, change), store.snapshot()) }
      const changed = withGroupNames(await settings.patch(actor, change), store.snapshot())
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

/** As commands show and take the settings: with names of groups, of which the ids are kept, so that renaming one changes nothing. */
function withGroupNames(settings: Settings, { groups }: Groups): Settings {
  const named = settings.secondFactor.groups.map((id) => nameOfGroup(groups, id) as GroupId)
  return { ...settings, secondFactor: { ...settings.secondFactor, groups: named } }
}

/** @throws NOT_FOUND for an unknown group */
function withGroupIds(change: object, { groups }: Groups): object {
  const secondFactor = valueAt(change, ['secondFactor'])
  const names = isRecord(secondFactor) ? secondFactor['groups'] : undefined
  if (!isRecord(secondFactor) || !Array.isArray(names)) return change
  const ids = names.map((name: unknown) => (typeof name === 'string' ? groupNamed(groups, name).id : name))
  return { ...change, secondFactor: { ...secondFactor, groups: ids } }
}

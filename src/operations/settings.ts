import { listBranding, removeBranding } from '../api/settings/branding.ts'
import { getSettingsAsOperator, updateSettingsAsOperator, uploadBrandingAsOperator } from '../api/settings/operator.ts'
import { type Group, groupNamed, nameOfGroup } from '../domain/accounts/group.ts'
import { homeRootNamed, nameOfRoot, type Root } from '../domain/server/root.ts'
import type { GroupId, RootId } from '../domain/ids.ts'
import { isRecord, leaves, valueAt } from '../domain/schema/schema-tools.ts'
import { Settings } from '../domain/settings/settings.ts'
import { warningWithoutSignIn } from '../services/accounts/auth/sign-in-problem.ts'
import { handler } from './handler.ts'

const LEAVES = leaves(Settings)

interface Named {
  readonly groups: readonly Group[]
  readonly roots: readonly Root[]
}

export const settingsHandlers = [
  handler(getSettingsAsOperator, (_, { services: { settings }, store }) =>
    withNames(settings.current(), store.snapshot()),
  ),

  handler(
    updateSettingsAsOperator,
    async ({ actor, query, body }, { services: { settings }, store, options }) => {
      const change = withIds(body, store.snapshot())
      if (query.dryRun === true) return { settings: withNames(settings.check(actor, change), store.snapshot()) }
      const changed = withNames(await settings.patch(actor, change), store.snapshot())
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

/** As commands show and take the settings: with names of groups and roots, of which the ids are kept, so that renaming one changes nothing. */
function withNames(settings: Settings, { groups, roots }: Named): Settings {
  const named = settings.secondFactor.groups.map((id) => nameOfGroup(groups, id) as GroupId)
  const { root } = settings.defaults
  return {
    ...settings,
    secondFactor: { ...settings.secondFactor, groups: named },
    ...(root !== undefined && { defaults: { ...settings.defaults, root: nameOfRoot(roots, root) as RootId } }),
  }
}

/** @throws NOT_FOUND for an unknown group or root */
function withIds(change: object, { groups, roots }: Named): object {
  const secondFactor = valueAt(change, ['secondFactor'])
  const names = isRecord(secondFactor) ? secondFactor['groups'] : undefined
  const defaults = valueAt(change, ['defaults'])
  const root = isRecord(defaults) ? defaults['root'] : undefined
  const idOf = (name: unknown) => (typeof name === 'string' ? groupNamed(groups, name).id : name)
  return {
    ...change,
    ...(isRecord(secondFactor) &&
      Array.isArray(names) && { secondFactor: { ...secondFactor, groups: names.map(idOf) } }),
    ...(isRecord(defaults) &&
      typeof root === 'string' &&
      root !== '' && { defaults: { ...defaults, root: homeRootNamed(roots, root) } }),
  }
}

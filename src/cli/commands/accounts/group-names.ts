import { listGroups } from '../../../api/accounts/groups.ts'
import { groupNamed, nameOfGroup } from '../../../domain/accounts/group.ts'
import type { Mapping } from '../../../domain/accounts/provider.ts'
import type { ProviderTest, ProviderView } from '../../../domain/accounts/provider-view.ts'
import type { GroupId } from '../../../domain/ids.ts'
import type { Door } from '../../door/door.ts'

type Groups = readonly { readonly id: GroupId; readonly name: string }[]

/** Only asks for the groups if a mapping names one. */
async function groupsFor(door: Door, isNeeded: boolean): Promise<Groups> {
  return isNeeded ? await door.call(listGroups, {}) : []
}

/** A mapping as it is kept: with the ids of groups, so that renaming one changes nothing. @throws NOT_FOUND */
export async function withGroupIds<F extends { readonly mapping?: Mapping[] }>(door: Door, fields: F): Promise<F> {
  const { mapping } = fields
  if (mapping === undefined) return fields
  const groups = await groupsFor(
    door,
    mapping.some(({ group }) => group !== undefined),
  )
  return {
    ...fields,
    mapping: mapping.map((entry) =>
      entry.group === undefined ? entry : { ...entry, group: groupNamed(groups, entry.group).id },
    ),
  }
}

/** Providers with the names of the groups that they give. */
export async function withGroupNames(door: Door, providers: readonly ProviderView[]): Promise<ProviderView[]> {
  const isNeeded = providers.some(({ mapping }) => mapping.some(({ group }) => group !== undefined))
  const groups = await groupsFor(door, isNeeded)
  return providers.map((provider) => ({
    ...provider,
    mapping: provider.mapping.map((entry) =>
      entry.group === undefined ? entry : { ...entry, group: nameOfGroup(groups, entry.group) as GroupId },
    ),
  }))
}

/** The result of a test with the names of the groups. */
export async function givenNames(door: Door, test: ProviderTest): Promise<ProviderTest> {
  const { gives } = test
  if (gives === undefined || gives.groups.length === 0) return test
  const groups = await groupsFor(door, true)
  return { ...test, gives: { ...gives, groups: gives.groups.map((id) => nameOfGroup(groups, id as GroupId)) } }
}

import { wholeGrants } from '../../kept-shares.ts'
import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import {
  type Group,
  type GroupChange,
  groupNamed,
  type GroupSummary,
  type GroupView,
  MAX_GROUPS,
  type MembersChange,
  NO_GROUP_PERMISSIONS,
  requireGroupName,
} from '../../../domain/accounts/group.ts'
import { GroupIndex } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail } from '../../../domain/errors.ts'
import type { GroupId } from '../../../domain/ids.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { foldName } from '../../../domain/text/fold.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { ConfirmPassword } from '../auth/passwords.ts'
import { requireUsableRules } from '../../access/usable-rules.ts'
import { requireKnownPlaces } from '../../stored-roots.ts'
import { filledPlace } from '../../../domain/accounts/place.ts'
import { usablePlaces } from '../usable-places.ts'

export interface GroupsDeps {
  readonly store: Store<StoreDocument>
  readonly confirm: ConfirmPassword
  readonly compile: PatternCompiler
  readonly random: Random
}

/**
 * Groups of accounts, for administrators, who confirm each change by their own password: their members have what they give. What is
 * changed takes effect at once, also for work that is running. All functions throw FORBIDDEN, and NOT_FOUND for an unknown group.
 */
export function createGroups({ store, confirm, compile, random }: GroupsDeps) {
  type Document = Readonly<StoreDocument>

  const write = async (
    actor: Actor,
    password: string | undefined,
    change: (now: Document) => { groups: Group[]; group?: Group },
  ) => {
    requireAdmin(actor, 'users.manage')
    await confirm(actor, password)
    return await store.update((draft, now) => {
      requireAdmin(actor, 'users.manage', now)
      const { groups, group } = change(now)
      draft.groups = groups
      if (groups.length < now.groups.length) draft.grants = wholeGrants(draft, now.grants)
      return group && viewOf(group, now.users)
    })
  }

  const replaced = async (
    actor: Actor,
    id: string,
    password: string | undefined,
    alter: (group: Group, now: Document) => Group,
  ): Promise<GroupView> => {
    const view = await write(actor, password, (now) => {
      const before = requireGroup(now.groups, id)
      const group = alter(before, now)
      return { groups: now.groups.map((each) => (each === before ? group : each)), group }
    })
    return view ?? fail('INTERNAL', 'no group was stored')
  }

  return {
    /** By name. */
    list(actor: Actor): GroupSummary[] {
      requireAdmin(actor, 'users.manage')
      const { users, groups } = store.snapshot()
      const index = new GroupIndex(groups)
      const counts = new Map<GroupId, number>()
      for (const user of users) for (const { id } of index.of(user)) counts.set(id, (counts.get(id) ?? 0) + 1)
      return groups
        .map((group) => ({ ...group, members: counts.get(group.id) ?? 0 }))
        .toSorted((a, b) => (foldName(a.name) < foldName(b.name) ? -1 : 1))
    },

    get(actor: Actor, id: string): GroupView {
      requireAdmin(actor, 'users.manage')
      const now = store.snapshot()
      return viewOf(requireGroup(now.groups, id), now.users)
    },

    /** @throws NOT_FOUND */
    find: (nameOrId: string): Group => groupNamed(store.snapshot().groups, nameOrId),

    /** @throws INVALID_INPUT; CONFLICT if the name is taken */
    async create(actor: Actor, change: GroupChange, password?: string): Promise<GroupView> {
      const empty: Group = {
        id: random.token(9) as GroupId,
        name: '',
        perm: NO_GROUP_PERMISSIONS,
        rules: [],
        permissionRules: [],
        places: [],
        quota: 0,
        quotaFiles: 0,
        members: [],
      }
      const view = await write(actor, password, (now) => {
        if (now.groups.length >= MAX_GROUPS)
          fail('CONFLICT', `there can be at most ${MAX_GROUPS} groups`, { reason: 'maximum' })
        const group = changed(empty, change, now)
        return { groups: [...now.groups, group], group }
      })
      return view ?? fail('INTERNAL', 'no group was stored')
    },

    /** Sets all given values, or none. @throws INVALID_INPUT, CONFLICT */
    change: async (actor: Actor, id: string, change: GroupChange, password?: string): Promise<GroupView> =>
      await replaced(actor, id, password, (group, now) => changed(group, change, now)),

    /** Members by a provider stay: the provider decides about them. @throws NOT_FOUND for an unknown user, and nothing changes */
    changeMembers: async (
      actor: Actor,
      id: string,
      { add = [], remove = [] }: MembersChange,
      password?: string,
    ): Promise<GroupView> =>
      await replaced(actor, id, password, (group, { users }) => {
        const known = new Set(users.map(({ id: userId }) => userId))
        const missing = add.find((member) => !known.has(member))
        if (missing !== undefined) fail('NOT_FOUND', `there is no user with the id ${missing}`)
        const stays = known.difference(new Set(remove))
        const members = [...new Set([...group.members, ...add])].filter((member) => stays.has(member))
        return { ...group, members }
      }),

    async remove(actor: Actor, id: string, password?: string): Promise<void> {
      await write(actor, password, ({ groups }) => {
        const gone = requireGroup(groups, id)
        return { groups: groups.filter((group) => group !== gone) }
      })
    },
  }

  function changed(group: Group, { perm, places: wanted, ...values }: GroupChange, { groups, roots }: Document): Group {
    const next: Group = { ...group, ...values, perm: { ...group.perm, ...perm } }
    requireUsableRules(next.rules, compile)
    requireUsableRules(next.permissionRules, compile, 'permissionRules')
    const places = usablePlaces(wanted?.map(filledPlace) ?? group.places, compile)
    if (wanted !== undefined) requireKnownPlaces({ roots }, places)
    const name = requireGroupName(next.name)
    const twin = groups.find((other) => other.id !== group.id && foldName(other.name) === foldName(name))
    if (twin !== undefined) fail('CONFLICT', `there is a group named "${twin.name}" already`, { field: 'name' })
    return { ...next, name, places }
  }
}

function requireGroup(groups: readonly Group[], id: string): Group {
  return groups.find((group) => group.id === id) ?? fail('NOT_FOUND', 'there is no such group')
}

function viewOf(group: Group, users: readonly User[]): GroupView {
  const chosen = new Set(group.members)
  const isProvided = ({ identities = [] }: User) => identities.some(({ groups }) => groups.includes(group.id))
  const members = users
    .filter((user) => chosen.has(user.id) || isProvided(user))
    .map(({ id, username }) => ({ id, username, by: chosen.has(id) ? ('hand' as const) : ('provider' as const) }))
    .toSorted((a, b) => (a.username < b.username ? -1 : 1))
  return { ...group, members }
}

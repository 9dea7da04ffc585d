import { GROUP_PERMISSIONS, type GroupPermission, type Permission, type Permissions } from '../access/permissions.ts'
import {
  type GroupRule,
  PATH_PERMISSIONS,
  type PathPermission,
  type PermissionRule,
  type PlaceRule,
  type Rule,
} from '../access/rule.ts'
import type { GroupId, UserId } from '../ids.ts'
import type { Root } from '../server/root.ts'
import type { Group } from './group.ts'
import { type PlaceEntry, PlaceList, type SeenPlace } from './place-list.ts'
import type { User } from './user.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * An account with what its groups give. Everything is decided by it, and nothing of it is saved: only the stored account is
 * ever written.
 */
export interface EffectiveUser extends User {
  readonly groups: readonly Group[]
  /** The account itself. */
  readonly stored: User
  /** The folders that it sees. */
  readonly allPlaces: PlaceList
  /** The place as which it has its folder and its permissions, unless they are its own. */
  readonly here?: SeenPlace
}

type Member = Pick<User, 'id' | 'identities'>

const NO_GROUPS: readonly Group[] = []

/** Finds the groups of accounts. Keep it for as long as the list is the same object: making one reads all members. */
export class GroupIndex {
  readonly #byId: ReadonlyMap<GroupId, Group>
  readonly #byMember = new Map<UserId, Group[]>()

  constructor(groups: readonly Group[]) {
    this.#byId = new Map(groups.map((group) => [group.id, group]))
    for (const group of groups) {
      for (const member of group.members) {
        const own = this.#byMember.get(member)
        if (own === undefined) this.#byMember.set(member, [group])
        else own.push(group)
      }
    }
  }

  /** Those that were chosen for the account, then those by its providers. */
  of({ id, identities = [] }: Member): readonly Group[] {
    const chosen = this.#byMember.get(id) ?? NO_GROUPS
    const provided = identities.flatMap(({ groups }) => groups).flatMap((group) => this.#byId.get(group) ?? [])
    return provided.length === 0 ? chosen : [...new Set([...chosen, ...provided])]
  }
}

/** What an account may do, with all that its groups give and nothing that it is denied. @param own the groups it is in */
export function effectiveUser(user: User, own: readonly Group[], roots: readonly Root[]): EffectiveUser {
  const allPlaces = new PlaceList(user, own, roots)
  return { ...user, ...limitsOf(user, own), perm: permissionsOf(user, own), groups: own, stored: user, allPlaces }
}

/** The account as it is in one of its places: who asks it for its folder, its permissions or its rules is right there. */
export function userIn(user: EffectiveUser, place: SeenPlace): EffectiveUser {
  if (place.isOwn && place.given.length === 0) return user
  const { root: _own, ...rest } = user
  const { root, scope, isOwn, given } = place
  const has = (permission: PathPermission) =>
    (isOwn && user.perm[permission]) ||
    given.some(({ place: { permissions } }) =>
      permissions === undefined
        ? user.perm[permission]
        : permissions.includes(permission) && !user.denied.includes(permission),
    )
  const perm = { ...user.perm, ...Object.fromEntries(PATH_PERMISSIONS.map((each) => [each, has(each)])) }
  return { ...rest, ...(root !== undefined && { root }), scope, perm, here: place }
}

function permissionsOf({ perm, denied }: User, own: readonly Group[]): Permissions {
  const has = (permission: GroupPermission) =>
    !denied.includes(permission) && (perm[permission] || own.some((group) => group.perm[permission]))
  return { ...perm, ...Object.fromEntries(GROUP_PERMISSIONS.map((permission) => [permission, has(permission)])) }
}

/** The limits of the account itself; where it has none, the largest that a group gives. */
export function limitsOf(user: Pick<User, 'quota' | 'quotaFiles'>, own: readonly Group[]) {
  const limit = (kind: 'quota' | 'quotaFiles') =>
    user[kind] > 0 ? user[kind] : own.reduce((largest, group) => Math.max(largest, group[kind]), 0)
  return { quota: limit('quota'), quotaFiles: limit('quotaFiles') }
}

/** The names of the groups that give a permission which the account itself has not. */
export function giversOf(permission: Permission, { perm, groups, stored }: EffectiveUser): string[] {
  if (permission === 'admin' || stored.perm[permission] || !perm[permission]) return []
  return groups.filter((group) => group.perm[permission]).map(({ name }) => name)
}

/** The names of the groups that give the limits which the account itself has not. */
export function limitGivers({ quota, quotaFiles, groups, stored }: EffectiveUser): string[] {
  const isGiver = (group: Group) =>
    (stored.quota === 0 && quota > 0 && group.quota === quota) ||
    (stored.quotaFiles === 0 && quotaFiles > 0 && group.quotaFiles === quotaFiles)
  return groups.filter(isGiver).map(({ name }) => name)
}

/** The rules with permissions that concern an account, by their origin. The positions of those of a group follow its other rules. */
export function permissionListsOf(
  { permissionRules: global }: Pick<Settings, 'permissionRules'>,
  { groups, permissionRules: user, here }: Pick<EffectiveUser, 'groups' | 'permissionRules' | 'here'>,
) {
  const of = ({ rules, permissionRules }: Lists) =>
    permissionRules.map((rule, index) => ({ index: rules.length + index, rule }))
  // For the same path, the rule with fewer permissions decides.
  const group = sortedByPath(byGroup(groups, here, of), ({ permissions }) => -permissions.length)
  return { global, group, user, place: byPlace(here, of) }
}

/** Whether a rule may give an account these permissions somewhere. */
export function mayHaveSomewhere(
  settings: Pick<Settings, 'permissionRules'>,
  user: EffectiveUser,
  needed: readonly PathPermission[],
): boolean {
  return user.allPlaces.all.some((place) => mayHaveIn(settings, userIn(user, place), needed))
}

function mayHaveIn(
  settings: Pick<Settings, 'permissionRules'>,
  user: EffectiveUser,
  needed: readonly PathPermission[],
): boolean {
  if (needed.every((permission) => user.perm[permission])) return true
  const { global, group, user: own, place } = permissionListsOf(settings, user)
  const all = [...global, ...own, ...[...group, ...place].map(({ rule }) => rule)]
  return all.some(({ permissions }) =>
    needed.every((permission) => permissions.includes(permission) && !user.denied.includes(permission)),
  )
}

/**
 * The rules of several groups as one list, of which the last match wins. Expressions come first; then the shorter path comes
 * before the longer, so that the more exact rule decides, and what allows a path comes before what denies the same.
 *
 * @param here the place that they are for, which a group may have given with rules of its own
 */
export function rulesOfGroups(own: readonly Group[], here?: SeenPlace): GroupRule[] {
  return sortedByPath(byGroup(own, here, rulesIn), ({ allow }) => Number(!allow))
}

/** The rules of the place that the account has by itself. */
export function rulesOfPlace(here: SeenPlace | undefined): PlaceRule[] {
  return byPlace(here, rulesIn)
}

type Lists = Pick<PlaceEntry['place'], 'rules' | 'permissionRules'>

interface Placed<R> {
  readonly index: number
  readonly rule: R
}

function rulesIn({ rules }: Lists): Placed<Rule>[] {
  return rules.map((rule, index) => ({ index, rule }))
}

function byGroup<R>(
  own: readonly Group[],
  here: SeenPlace | undefined,
  of: (lists: Lists) => Placed<R>[],
): GroupRule<R>[] {
  return own.flatMap((each) => {
    const ofPlace = here?.given.filter(({ group }) => group === each) ?? []
    return [
      ...of(each).map((placed) => ({ group: each.name, ...placed })),
      ...ofPlace.flatMap(({ place }) =>
        of(place).map((placed) => ({ group: each.name, place: here?.name ?? '', ...placed })),
      ),
    ]
  })
}

function byPlace<R>(here: SeenPlace | undefined, of: (lists: Lists) => Placed<R>[]): PlaceRule<R>[] {
  const own = here?.given.filter(({ group }) => group === undefined) ?? []
  return own.flatMap(({ place }) => of(place).map((placed) => ({ place: here?.name ?? '', ...placed })))
}

function sortedByPath<R extends Rule | PermissionRule>(
  all: readonly GroupRule<R>[],
  rankOf: (rule: R) => number,
): GroupRule<R>[] {
  const lengthOf = ({ rule: { regex, path } }: GroupRule<R>) => (regex ? -1 : path.length)
  const rank = ({ rule }: GroupRule<R>) => (rule.regex ? 0 : rankOf(rule))
  return all.toSorted((a, b) => lengthOf(a) - lengthOf(b) || rank(a) - rank(b))
}

import { GROUP_PERMISSIONS, type GroupPermission, type Permission, type Permissions } from '../access/permissions.ts'
import type { GroupRule } from '../access/rule.ts'
import type { GroupId, UserId } from '../ids.ts'
import type { Group } from './group.ts'
import type { User } from './user.ts'

/**
 * An account with what its groups give. Everything is decided by it, and nothing of it is saved: only the stored account is
 * ever written.
 */
export interface EffectiveUser extends User {
  readonly groups: readonly Group[]
  /** The account itself. */
  readonly stored: User
}

type Member = Pick<User, 'id' | 'identities'>

const NO_GROUPS: readonly Group[] = []

/** Groups by their members, for each list of groups in the store, which is the same object until a group changes. */
const INDEXES = new WeakMap<readonly Group[], GroupIndex>()
/** The same object until the account or one of its groups changes, because the rules of each are compiled once. */
const EFFECTIVE = new WeakMap<User, EffectiveUser>()

interface GroupIndex {
  readonly byId: ReadonlyMap<GroupId, Group>
  readonly byMember: ReadonlyMap<UserId, readonly Group[]>
}

/** The groups of an account: those that were chosen, then those by providers. Looks at no other groups. */
export function groupsOf({ id, identities = [] }: Member, groups: readonly Group[]): readonly Group[] {
  if (groups.length === 0) return NO_GROUPS
  const { byId, byMember } = indexOf(groups)
  const chosen = byMember.get(id) ?? NO_GROUPS
  const provided = identities.flatMap((identity) => identity.groups).flatMap((group) => byId.get(group) ?? [])
  return provided.length === 0 ? chosen : [...new Set([...chosen, ...provided])]
}

function indexOf(groups: readonly Group[]): GroupIndex {
  const known = INDEXES.get(groups)
  if (known !== undefined) return known
  const byMember = new Map<UserId, Group[]>()
  for (const group of groups) {
    for (const member of group.members) {
      const own = byMember.get(member)
      if (own === undefined) byMember.set(member, [group])
      else own.push(group)
    }
  }
  const index = { byId: new Map(groups.map((group) => [group.id, group])), byMember }
  INDEXES.set(groups, index)
  return index
}

/** What an account may do, with all that its groups give and nothing that it is denied. */
export function effectiveUser(user: User, groups: readonly Group[]): EffectiveUser {
  const own = groupsOf(user, groups)
  const known = EFFECTIVE.get(user)
  if (known !== undefined && isSameList(known.groups, own)) return known
  const made = { ...user, ...limitsOf(user, own), perm: permissionsOf(user, own), groups: own, stored: user }
  EFFECTIVE.set(user, made)
  return made
}

function isSameList(one: readonly Group[], other: readonly Group[]): boolean {
  return one === other || (one.length === other.length && one.every((group, at) => group === other[at]))
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

/**
 * The rules of several groups as one list, of which the last match wins. Expressions come first; then the shorter path comes
 * before the longer, so that the more exact rule decides, and what allows a path comes before what denies the same.
 */
export function rulesOfGroups(own: readonly Group[]): GroupRule[] {
  const all = own.flatMap(({ name, rules }) => rules.map((rule, index) => ({ group: name, index, rule })))
  const lengthOf = ({ rule: { regex, path } }: GroupRule) => (regex ? -1 : path.length)
  const isDenial = ({ rule: { regex, allow } }: GroupRule) => Number(!regex && !allow)
  return all.toSorted((a, b) => lengthOf(a) - lengthOf(b) || isDenial(a) - isDenial(b))
}

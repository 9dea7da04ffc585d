import { type Static, Type } from 'typebox'
import { Permissions } from '../access/permission-fields.ts'
import { GROUP_PERMISSIONS } from '../access/permissions.ts'
import { MAX_RULES, PermissionRules, Rule } from '../access/rule.ts'
import { Places, WantedPlaces } from './place.ts'
import { fail } from '../errors.ts'
import type { GroupId, UserId } from '../ids.ts'
import { foldName } from '../text/fold.ts'
import { hasControls } from '../text/printable.ts'
import { QUOTA } from './user.ts'

/** Far more than anybody can oversee. */
export const MAX_GROUPS = 10_000

const off = (schema: typeof Permissions.properties.create) => Type.Boolean({ ...schema, default: false })
const { execute, create, rename, modify, delete: remove, share, download } = Permissions.properties

const GroupPermissions = Type.Object(
  {
    execute,
    create: off(create),
    rename: off(rename),
    modify: off(modify),
    delete: off(remove),
    share: off(share),
    download: off(download),
  },
  { title: 'Permissions' },
)
export type GroupPermissions = Static<typeof GroupPermissions>

const id = Type.Unsafe<GroupId>(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w-]+$' }))
const userId = Type.Unsafe<UserId>(Type.Integer({ minimum: 1 }))

const GIVEN = {
  name: Type.String({ minLength: 1, maxLength: 100, title: 'Name' }),
  perm: GroupPermissions,
  rules: Type.Array(Rule, {
    default: [],
    maxItems: MAX_RULES,
    title: 'Rules',
    'x-filemgr': { widget: 'rules', cli: false },
  }),
  permissionRules: PermissionRules,
  places: Places,
  ...QUOTA,
}

/** Gives the same to several accounts. What an account says itself wins. */
export const Group = Type.Object({
  id,
  ...GIVEN,
  /** Those who were chosen here. Providers make others members. */
  members: Type.Array(userId, { default: [] }),
})
export type Group = Static<typeof Group>

/** A group as lists have it. */
export const GroupSummary = Type.Object({
  id,
  ...GIVEN,
  members: Type.Integer({ minimum: 0, description: 'Number of members' }),
})
export type GroupSummary = Static<typeof GroupSummary>

/** A member: chosen here, or by a provider at each sign-in. */
export const GroupMember = Type.Object({
  id: userId,
  username: Type.String(),
  by: Type.Enum(['hand', 'provider']),
})
export type GroupMember = Static<typeof GroupMember>

export const GroupView = Type.Object({ id, ...GIVEN, members: Type.Array(GroupMember) })
export type GroupView = Static<typeof GroupView>

/** The values to set. In a new group, all others are empty. */
export const GroupChange = Type.Partial(
  Type.Object({ ...GIVEN, perm: Type.Partial(GroupPermissions), places: WantedPlaces }),
)
export type GroupChange = Static<typeof GroupChange>

/** The users to add to a group, and to take out of it. */
export const MembersChange = Type.Object({
  add: Type.Optional(Type.Array(userId)),
  remove: Type.Optional(Type.Array(userId)),
})
export type MembersChange = Static<typeof MembersChange>

export const NO_GROUP_PERMISSIONS = Object.fromEntries(
  GROUP_PERMISSIONS.map((permission) => [permission, false]),
) as GroupPermissions

/** @throws INVALID_INPUT for a name that would be mistaken for something else */
export function requireGroupName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || hasControls(trimmed))
    fail('INVALID_INPUT', 'a group needs a name of one line', { field: 'name' })
  if (/^id:/i.test(trimmed))
    fail('INVALID_INPUT', 'the name of a group cannot look like an id, such as "id:f3JkQ0aZ"', { field: 'name' })
  // Lists of groups are separated by commas.
  if (trimmed.includes(',')) fail('INVALID_INPUT', 'the name of a group cannot contain commas', { field: 'name' })
  return trimmed
}

/** Finds a group by its name, in any case, or by its id as "id:f3JkQ0aZ". @throws NOT_FOUND */
export function groupNamed<G extends Pick<Group, 'id' | 'name'>>(groups: readonly G[], nameOrId: string): G {
  const folded = foldName(nameOrId)
  return (
    groups.find((group) => nameOrId === `id:${group.id}`) ??
    groups.find(({ name }) => name === nameOrId) ??
    groups.find(({ name }) => foldName(name) === folded) ??
    fail('NOT_FOUND', `there is no group "${nameOrId}"; see "filemgr groups ls"`)
  )
}

/** What people call a group, as `groupNamed` finds it; its id if it is gone. */
export function nameOfGroup(groups: readonly Pick<Group, 'id' | 'name'>[], id: GroupId): string {
  return groups.find((group) => group.id === id)?.name ?? `id:${id}`
}

import { PATH_PERMISSIONS, type PathPermission } from '../../../../src/domain/access/rule.ts'
import type { GivenPlace } from '../../../../src/domain/accounts/place.ts'
import type { MessageId } from '../../i18n/use-text.tsx'

/** What a place gives: undefined for what the account may do elsewhere. */
export type GivenPermissions = readonly PathPermission[] | undefined

export type PermissionSet = 'account' | 'view' | 'download' | 'create' | 'all' | 'chosen'

/** The common ones, from little to much. */
export const PERMISSION_SETS: readonly (readonly [set: PermissionSet, label: MessageId])[] = [
  ['account', 'roots.asElsewhere'],
  ['view', 'permissions.viewOnly'],
  ['download', 'roots.download'],
  ['create', 'roots.create'],
  ['all', 'permissions.everything'],
  ['chosen', 'roots.chosen'],
]

const PERMISSIONS: Readonly<Partial<Record<PermissionSet, readonly PathPermission[]>>> = {
  view: [],
  download: ['download'],
  create: ['download', 'create'],
  all: PATH_PERMISSIONS,
}

/** What is given when a set is chosen; "chosen" keeps what is given before. */
export function permissionsOf(set: PermissionSet, before: GivenPermissions): GivenPermissions {
  if (set === 'account') return undefined
  return PERMISSIONS[set] ?? before ?? ['download']
}

export function setOf(given: GivenPermissions): PermissionSet {
  if (given === undefined) return 'account'
  const names = ['view', 'download', 'create', 'all'] as const
  return names.find((name) => isSame(PERMISSIONS[name] ?? [], given)) ?? 'chosen'
}

function isSame(one: readonly PathPermission[], other: readonly PathPermission[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}

/** All of a root, with what the account may do elsewhere, as yet without a root. */
export const EMPTY_PLACE: Omit<GivenPlace, 'root'> = { scope: '/', name: '', rules: [], permissionRules: [] }

/** Without permissions, those of the account hold. */
export function withPermissions(place: GivenPlace, permissions: GivenPermissions): GivenPlace {
  const { permissions: _before, ...others } = place
  return permissions === undefined ? others : { ...others, permissions: [...permissions] }
}

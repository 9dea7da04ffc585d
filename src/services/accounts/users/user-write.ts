import { fail } from '../../../domain/errors.ts'
import { FILES_ROOT } from '../../../domain/server/root.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Rule } from '../../../domain/access/rule.ts'
import { refuseResettingNull } from '../../../domain/schema/resetting-null.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { type User, UserPatch } from '../../../domain/accounts/user.ts'
import type { UserFields } from './account-fields.ts'
import { API_DEFAULTS, BEYOND_DEFAULTS } from './new-account.ts'

/** The body of a wire request that creates or changes a user. */
export interface UserWrite {
  readonly currentPassword: string | undefined
  /** Names of the fields to write; empty for the whole record. */
  readonly which: readonly string[]
  readonly data: unknown
}

const FIELDS = [
  'username', 'password', 'lockPassword', 'rules', 'scope', 'perm', 'commands', 'locale', 'viewMode', 'singleClick',
  'redirectAfterCopyMove', 'sorting', 'hideDotfiles', 'dateFormat', 'aceEditorTheme',
  'favourites', 'recent', 'folderSizes', 'permissionRules', 'places', 'denied', 'disabled', 'quota', 'quotaFiles', 'root',
] as const satisfies readonly (keyof UserPatch)[] // prettier-ignore
type Field = (typeof FIELDS)[number]

const EMPTY: Required<UserPatch> = {
  ...API_DEFAULTS,
  ...BEYOND_DEFAULTS,
  username: '',
  password: '',
  root: FILES_ROOT,
}
const EMPTY_RULE: Rule = { regex: false, allow: false, path: '', regexp: null }

/** @throws INVALID_INPUT */
export function readUserWrite(body: unknown): UserWrite {
  const { what, which, current_password: currentPassword, data } = isRecord(body) ? body : {}
  if (what !== undefined && typeof what !== 'string') fail('INVALID_INPUT', 'json: what must be a text')
  if (what !== 'user') fail('INVALID_INPUT', 'invalid data type')
  return { currentPassword: readCurrentPassword(currentPassword), which: readWhich(which ?? []), data }
}

/** @throws INVALID_INPUT */
export function readCurrentPassword(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  return fail('INVALID_INPUT', 'json: current_password must be a text')
}

function readWhich(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value
  return fail('INVALID_INPUT', 'json: which must be a list of texts')
}

/** Fields that File Browser does not have: a whole record from its clients neither changes nor sets them. */
const OUR_FIELDS: readonly Field[] = [
  'favourites',
  'recent',
  'folderSizes',
  'permissionRules',
  'places',
  'denied',
  'disabled',
  'quota',
  'quotaFiles',
  'root',
]

export interface UserData {
  readonly id: UserId | undefined
  /** All fields; missing ones are empty. */
  readonly fields: Required<UserPatch>
  readonly missing: readonly Field[]
}

/**
 * @param present the account that is changed
 * @throws INVALID_INPUT unless it is an object, and for a null that would take something from the account
 */
export function readUserData(data: unknown, present?: User): UserData {
  if (!isRecord(data)) fail('INVALID_INPUT', 'data must be the record of a user', { field: 'data' })
  refuseResettingNull(UserPatch, data, present)
  const given = Object.fromEntries(FIELDS.map((name) => [name, filled(EMPTY[name], data[name])]))
  const fields = given as Required<UserPatch>
  const { viewMode, rules } = given
  const wrong = FIELDS.find((name) => typeof given[name] !== typeof EMPTY[name])
  if (wrong !== undefined) fail('INVALID_INPUT', `json: ${wrong} must be ${kindOf(EMPTY[wrong])}`, { field: wrong })
  const id = typeof data['id'] === 'number' ? (data['id'] as UserId) : undefined
  const checked = {
    ...fields,
    // Empty means the default.
    viewMode: viewMode === '' ? 'list' : fields.viewMode,
    rules: Array.isArray(rules) ? rules.map((rule) => filled(EMPTY_RULE, rule) as Rule) : fields.rules,
  }
  return { id, fields: checked, missing: FIELDS.filter((name) => data[name] === undefined) }
}

function kindOf(value: unknown): string {
  if (typeof value === 'boolean') return 'true or false'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return 'a number'
  return typeof value === 'string' ? 'a text' : 'an object'
}

/** Fills in missing parts from `empty`. Types are checked later, with the whole record. */
function filled(empty: unknown, value: unknown): unknown {
  if (value === undefined || value === null) return structuredClone(empty)
  if (!isRecord(empty) || !isRecord(value)) return value
  return Object.fromEntries(Object.entries(empty).map(([key, inner]) => [key, filled(inner, value[key])]))
}

export type Selection = { readonly kind: 'all' } | { readonly kind: 'fields'; readonly names: readonly Field[] }

/**
 * Parses `which`. Accepts exact names only: the attack is a spelling that the check for the current password does not
 * recognise, but the write does (CVE-2026-25889).
 *
 * @throws INVALID_INPUT
 */
export function readSelection(which: readonly string[]): Selection {
  if (which.length === 0 || (which.length === 1 && which[0] === 'all')) return { kind: 'all' }
  const names = which.map((name) => {
    const field = FIELDS.find((known) => known === name || capitalised(known) === name)
    return field ?? fail('INVALID_INPUT', `which names an unknown field: ${name.slice(0, 64)}`, { field: 'which' })
  })
  return { kind: 'fields', names }
}

/** The fields to write. In a whole record, an empty password means no change. */
export function selectedFields({ fields, missing }: UserData, selection: Selection): UserFields {
  const isOmitted = (name: Field) =>
    name === 'password' ? fields.password === '' : OUR_FIELDS.includes(name) && missing.includes(name)
  const names = selection.kind === 'fields' ? selection.names : FIELDS.filter((name) => !isOmitted(name))
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

import { fail } from '../../../domain/errors.ts'
import { FILES_ROOT } from '../../../domain/server/root.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { hasControls } from '../../../domain/text/printable.ts'
import { type DeepPartial, isRecord, merged } from '../../../domain/schema/schema-tools.ts'
import { User, type UserPatch } from '../../../domain/accounts/user.ts'
import { cleanVirtualPath } from '../../../domain/files/virtual-path.ts'
import { createSchemaCheck } from '../../../platform/validation/schema-check.ts'
import { requireUsableRules } from '../../access/usable-rules.ts'
import { filledPlace, type WantedPlace } from '../../../domain/accounts/place.ts'
import { usablePlaces } from '../usable-places.ts'

/** Fields of an account to change; nested ones such as `perm` may be partial. */
export type UserFields = DeepPartial<UserPatch>

const MAX_RECENT = 50

const checkSchema = createSchemaCheck(User)

/**
 * Changes fields and checks the resulting account.
 *
 * @throws INVALID_INPUT naming the field
 */
export function withFields(user: User, fields: UserFields, compile: PatternCompiler): User {
  const { password: _hashed, places: wanted, ...kept } = fields
  const changed: User = { ...merged<User>(user, kept), id: user.id }
  if (changed.username === '') fail('INVALID_INPUT', 'user name is empty', { field: 'username' })
  const recent = Array.isArray(changed.recent) ? changed.recent.slice(0, MAX_RECENT) : changed.recent
  const checked = checkSchema({
    ...changed,
    recent,
    sorting: namedSorting(changed.sorting),
    places: wanted === undefined ? user.places : filledPlaces(wanted),
  })
  requireUsername(checked.username)
  requireUsableRules(checked.rules, compile)
  requireUsableRules(checked.permissionRules, compile, 'permissionRules')
  if (checked.perm.share && !checked.perm.download) {
    fail('INVALID_INPUT', 'permission to share requires permission to download', { field: 'perm.share' })
  }
  const places = usablePlaces(checked.places, compile)
  const { root, ...placed } = checked
  const own = root === undefined || root === '' || root === FILES_ROOT ? placed : checked
  return { ...own, places, favourites: cleanPaths(checked.favourites), recent: cleanPaths(checked.recent) }
}

/**
 * Fields that change an account, from a list or program that may have no scope for it. An empty scope is the whole served
 * folder, which would be shown to a user who had a part of it.
 */
export function withoutEmptyScope(fields: UserFields): UserFields {
  const { scope, ...others } = fields
  return isEmptyScope(scope) ? others : fields
}

/** @param scope may be of another type, since it is not checked yet */
export function isEmptyScope(scope: unknown): boolean {
  return typeof scope === 'string' && scope.trim() === ''
}

/** Removes duplicates and keeps the order. */
function cleanPaths(texts: readonly string[]): string[] {
  return [...new Set(texts.map(cleanVirtualPath))]
}

/** The defaults for new users may have no sort order; an account needs one. */
function namedSorting(sorting: unknown): unknown {
  return isRecord(sorting) && sorting['by'] === '' ? { ...sorting, by: 'name' } : sorting
}

/** Lists and programs may leave out what a place need not have. */
function filledPlaces(places: unknown): unknown {
  const fill = (place: unknown) => (isRecord(place) ? filledPlace(place as WantedPlace) : place)
  return Array.isArray(places) ? places.map(fill) : places
}

/**
 * Refuses names that look like those of others, and names of folders that are not beneath another. Accounts that have such a
 * name already keep it, also through export and import.
 *
 * @throws INVALID_INPUT
 */
export function requireNewUsername(username: string): void {
  if (username !== username.trim()) {
    fail('INVALID_INPUT', 'a user name cannot begin or end with a space', { field: 'username' })
  }
  // The blank of Braille draws nothing, too.
  if (/[\p{Default_Ignorable_Code_Point}\u2800]/u.test(username)) {
    fail('INVALID_INPUT', 'a user name cannot contain invisible characters', { field: 'username' })
  }
  // Home folders, and paths in which programs put the name, would lead to another folder.
  if (/[/\\]/.test(username)) {
    fail('INVALID_INPUT', 'a user name cannot contain slashes or backslashes', { field: 'username' })
  }
  if (/^\.+$/.test(username)) {
    fail('INVALID_INPUT', 'a user name cannot consist of dots only', { field: 'username' })
  }
}

function requireUsername(username: string): void {
  if (hasControls(username)) {
    fail('INVALID_INPUT', 'a user name cannot contain control characters', { field: 'username' })
  }
  if (/^id:\d*$/.test(username)) {
    fail('INVALID_INPUT', 'a user name cannot look like an id of a user, such as "id:7"', { field: 'username' })
  }
}

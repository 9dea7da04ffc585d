import type { GroupPermission, Permissions } from '../../../../../src/domain/access/permissions.ts'
import { type GivenPlace, NO_ROOT } from '../../../../../src/domain/accounts/place.ts'
import type { RootId } from '../../../../../src/domain/ids.ts'
import { FILES_ROOT } from '../../../../../src/domain/server/root.ts'
import type { PermissionRule } from '../../../../../src/domain/access/rule.ts'
import { type UserDefaults, UserPatch, type UserView } from '../../../../../src/domain/accounts/user.ts'
import type { Field } from '../../forms/form-model.ts'

export type QuotaField = 'quota' | 'quotaFiles'

/** An account as edited in the form. */
export interface UserDraft extends Omit<
  UserView,
  | 'id'
  | 'password'
  | 'commands'
  | 'favourites'
  | 'recent'
  | 'folderSizes'
  | 'root'
  | 'permissionRules'
  | 'places'
  | 'denied'
  | 'disabled'
  | 'groups'
  | 'effective'
  | 'lastSeenAt'
  | QuotaField
> {
  /** Of its own folder; `NO_ROOT` without one. */
  readonly root: RootId
  readonly permissionRules: readonly PermissionRule[]
  readonly places: readonly GivenPlace[]
  readonly denied: readonly GroupPermission[]
  readonly disabled: boolean
  /** In bytes; 0 for none. Undefined while the input is not a valid size. */
  readonly quota: number | undefined
  readonly quotaFiles: number | undefined
  /** Empty keeps the current password. */
  readonly password: string
  /** Separated by spaces. */
  readonly commands: string
  /** Create a home folder for the new user. */
  readonly createUserDir: boolean
}

export type DraftField = keyof UserDraft

interface UserField extends Field {
  readonly key: DraftField
}

const FIELD_NAMES = [...Object.keys(UserPatch.properties), 'createUserDir'] as DraftField[]

/** The fields of the form, whose value has the draft beside what only the server changes. */
export const USER_FIELDS: readonly UserField[] = FIELD_NAMES.map((key) => ({ key, leaf: { path: ['draft', key] } }))

export function fieldNamed(name: DraftField): UserField {
  const field = USER_FIELDS.find(({ key }) => key === name)
  if (field === undefined) throw new Error(`the user form has no field ${name}`)
  return field
}

/** Problems found before the draft is sent. */
export type DraftProblem = 'nameEmpty' | 'passwordEmpty' | 'passwordShort' | 'scopeEmpty' | 'noSize' | 'noNumber'

export function draftOf(view: UserView): UserDraft {
  const { id: _id, favourites: _marked, recent: _recent, folderSizes: _sizes, lastSeenAt: _seen, ...known } = view
  const { groups: _names, effective: _given, ...shown } = known
  const {
    root = FILES_ROOT,
    permissionRules = [],
    places = [],
    denied = [],
    disabled = false,
    quota = 0,
    quotaFiles = 0,
  } = shown
  const user = { ...shown, root, permissionRules, places, denied, disabled, quota, quotaFiles }
  return { ...user, password: '', commands: user.commands.join(' '), createUserDir: false }
}

/** A new account with the default settings. */
export function newDraft(defaults: UserDefaults, createUserDir: boolean): UserDraft {
  return {
    ...defaults,
    root: defaults.root ?? FILES_ROOT,
    sorting: { ...defaults.sorting, by: defaults.sorting.by || 'name' },
    username: '',
    password: '',
    lockPassword: false,
    permissionRules: [],
    places: [],
    denied: [],
    disabled: false,
    rules: [],
    commands: defaults.commands.join(' '),
    createUserDir,
    scope: createUserDir ? '' : defaults.scope,
  }
}

/** Fields that change along with permissions: administrators may always change their password. */
export function permissionChange(perm: Permissions): Partial<UserDraft> {
  return perm.admin ? { perm, lockPassword: false } : { perm }
}

/** Fields that change when a home folder is requested: it replaces the scope. */
export function homeChange(createUserDir: boolean, scope: string): Partial<UserDraft> {
  return { createUserDir, scope: createUserDir ? '' : scope }
}

/** Fields that change with the root: without an own folder, there is no home either. */
export function rootChange({ createUserDir, scope }: UserDraft, root: RootId): Partial<UserDraft> {
  return root === NO_ROOT && createUserDir ? { root, createUserDir: false, scope: '/' } : { root, scope }
}

interface Checked {
  readonly isNew: boolean
  readonly minimumPasswordLength: number
}

export function draftProblems(
  { username, password, root, scope, createUserDir, quota, quotaFiles }: UserDraft,
  { isNew, minimumPasswordLength }: Checked,
): ReadonlyMap<DraftField, DraftProblem> {
  const problems = new Map<DraftField, DraftProblem>()
  if (username.trim() === '') problems.set('username', 'nameEmpty')
  if (isNew && password === '') problems.set('password', 'passwordEmpty')
  // The server counts bytes.
  else if (password !== '' && new TextEncoder().encode(password).length < minimumPasswordLength) {
    problems.set('password', 'passwordShort')
  }
  if (scope.trim() === '' && !createUserDir && root !== NO_ROOT) problems.set('scope', 'scopeEmpty')
  if (quota === undefined) problems.set('quota', 'noSize')
  if (quotaFiles === undefined) problems.set('quotaFiles', 'noNumber')
  return problems
}

/** The account as the API expects it. */
export function recordOf({ commands, createUserDir, username, ...draft }: UserDraft): object {
  return {
    ...draft,
    username: username.trim(),
    commands: commands.split(/\s+/).filter(Boolean),
    ...(createUserDir && { createUserDir }),
  }
}

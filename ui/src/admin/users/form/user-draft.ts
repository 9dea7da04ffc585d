import type { Permissions } from '../../../../../src/domain/access/permissions.ts'
import type { UserDefaults, UserView } from '../../../../../src/domain/accounts/user.ts'

/** An account as the form has it. */
export interface UserDraft extends Omit<UserView, 'id' | 'password' | 'commands' | 'favourites' | 'recent'> {
  /** Empty leaves the one that is there. */
  readonly password: string
  /** Words between spaces. */
  readonly commands: string
  /** A new user gets a home folder. */
  readonly createUserDir: boolean
}

export type DraftField = keyof UserDraft

/** What is wrong before the server has seen it. */
export type DraftProblem = 'nameEmpty' | 'passwordEmpty' | 'passwordShort' | 'scopeEmpty'

/** These may be changed at an unlocked screen: the server asks for no password. */
const PREFERENCES: readonly DraftField[] = [
  'locale',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'sorting',
  'hideDotfiles',
  'dateFormat',
  'aceEditorTheme',
]

export function draftOf({ id: _id, favourites: _marked, recent: _recent, ...user }: UserView): UserDraft {
  return { ...user, password: '', commands: user.commands.join(' '), createUserDir: false }
}

/** A new account, as the settings want it. */
export function newDraft(defaults: UserDefaults, createUserDir: boolean): UserDraft {
  return {
    ...defaults,
    sorting: { ...defaults.sorting, by: defaults.sorting.by || 'name' },
    username: '',
    password: '',
    lockPassword: false,
    rules: [],
    commands: defaults.commands.join(' '),
    createUserDir,
    scope: createUserDir ? '' : defaults.scope,
  }
}

/** The change that giving or taking permissions makes: an administrator may always change their password. */
export function permissionChange(perm: Permissions): Partial<UserDraft> {
  return perm.admin ? { perm, lockPassword: false } : { perm }
}

/** The change that asking for a home folder makes: it takes the place of the scope. */
export function homeChange(createUserDir: boolean, scope: string): Partial<UserDraft> {
  return { createUserDir, scope: createUserDir ? '' : scope }
}

export function changedFields(saved: UserDraft, draft: UserDraft): DraftField[] {
  return (Object.keys(draft) as DraftField[]).filter(
    (field) => JSON.stringify(saved[field]) !== JSON.stringify(draft[field]),
  )
}

export function isSensitive(fields: readonly DraftField[]): boolean {
  return fields.some((field) => !PREFERENCES.includes(field))
}

interface Checked {
  readonly isNew: boolean
  readonly minimumPasswordLength: number
}

export function draftProblems(
  { username, password, scope, createUserDir }: UserDraft,
  { isNew, minimumPasswordLength }: Checked,
): ReadonlyMap<DraftField, DraftProblem> {
  const problems = new Map<DraftField, DraftProblem>()
  if (username.trim() === '') problems.set('username', 'nameEmpty')
  if (isNew && password === '') problems.set('password', 'passwordEmpty')
  // The server counts bytes.
  else if (password !== '' && new TextEncoder().encode(password).length < minimumPasswordLength) {
    problems.set('password', 'passwordShort')
  }
  if (scope.trim() === '' && !createUserDir) problems.set('scope', 'scopeEmpty')
  return problems
}

/** The record for the wire. */
export function recordOf({ commands, createUserDir, username, ...draft }: UserDraft): object {
  return {
    ...draft,
    username: username.trim(),
    commands: commands.split(/\s+/).filter(Boolean),
    ...(createUserDir && { createUserDir }),
  }
}

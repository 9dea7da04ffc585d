import { NO_PERMISSIONS } from '../../../domain/access/permissions.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import type { ProviderIdentity } from '../../../domain/accounts/provider-identity.ts'
import type { User, UserDefaults } from '../../../domain/accounts/user.ts'
import { DEFAULT_SORTING } from '../../../domain/files/sorting.ts'
import { fail, FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import type { UserId } from '../../../domain/ids.ts'
import { maintenanceRefusal } from '../../../domain/server/maintenance.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import type { StoreDocument } from '../../../store/document.ts'
import { NO_ROOT } from '../../../domain/accounts/place.ts'
import { isEmptyScope, requireNewUsername, type UserFields, withFields } from './account-fields.ts'
import { cleanScope, homeOf } from './home-folder.ts'

/** What is known of an account that does not exist yet. */
export interface NewAccount {
  /**
   * Administrators and the operator; the person who signs up; a proxy or a program that knows the person; or a provider, whose
   * own settings say whether it makes accounts: `accept` checks them.
   */
  readonly by: 'administrator' | 'sign-up' | 'provider' | 'single sign-on'
  /** With the user name. Missing fields have the defaults for new users. */
  readonly fields: UserFields
  /** The person at the provider. */
  readonly identity?: ProviderIdentity | undefined
  /** Empty unless given: then nobody can sign in with a password. */
  readonly passwordHash?: string | undefined
  /** The id it had elsewhere. It keeps it unless an account here has or had the same. */
  readonly id?: number | undefined
  /** It exists elsewhere, and keeps its name. */
  readonly isImported?: boolean
  /** It gets a home folder even if the settings do not say so; a scope that is given takes precedence. */
  readonly ownHome?: boolean
  /** Ignores the defaults for new users: missing fields are empty and missing permissions denied, as API clients expect. */
  readonly bare?: boolean
  /** Throws to refuse, also inside the write: the right to create it may have been lost meanwhile. */
  readonly accept?: (now: Readonly<StoreDocument>) => void
  /**
   * The account of this person, if they have one since a moment ago, as when two devices sign in for the first time at once. No
   * other one is made then.
   */
  readonly existing?: (now: Readonly<StoreDocument>) => User | undefined
}

/** An account that has no place yet: neither an id nor, if it owns its home, a folder that is certainly free. */
export interface DraftedAccount {
  readonly account: Omit<User, 'id'>
  readonly id?: number | undefined
  /** If its scope is a home folder, which no other user may have: whether files may lie there already. */
  readonly home?: 'any' | 'empty'
}

export interface DraftDeps {
  readonly compile: PatternCompiler
  readonly now: number
}

/**
 * Decides what a new account is: the only function that makes accounts, so that home folders, defaults and the rules for names
 * are the same everywhere.
 *
 * @throws INVALID_INPUT naming the field; FORBIDDEN for a name from a provider that an account cannot have; MAINTENANCE unless
 *         an administrator makes it; as `requireAdmitted`
 */
export function draftAccount(known: NewAccount, now: SettingsNow, deps: DraftDeps): DraftedAccount {
  try {
    return decided(known, now, deps)
  } catch (error) {
    // The person signed in at the provider and cannot correct the name there; the other fields are the operator's.
    const isProven = known.by === 'provider' || known.by === 'single sign-on'
    if (!isProven || !isFilemgrError(error, 'INVALID_INPUT') || error.details.field !== 'username') throw error
    const message = `there is no account of this name, and none can be made: ${error.message}`
    throw new FilemgrError('FORBIDDEN', message, { field: 'username', explained: true }, { cause: error })
  }
}

type SettingsNow = Readonly<Pick<StoreDocument, 'settings' | 'maintenance'>>

function decided(
  known: NewAccount,
  { settings, maintenance }: SettingsNow,
  { compile, now }: DraftDeps,
): DraftedAccount {
  requireAdmitted(known.by, settings)
  const refusal = known.by === 'administrator' ? undefined : maintenanceRefusal(maintenance, undefined, now)
  if (refusal !== undefined) throw refusal
  const template = accountWith(defaultsFor(known, settings.defaults), now)
  const { id: _none, ...plain } = withFields(template, known.fields, compile)
  const account = known.identity === undefined ? plain : { ...plain, identities: [known.identity] }
  if (known.isImported !== true) requireNewUsername(account.username)
  const { passwordHash = '', id, fields } = known
  const isWanted = settings.createUserDir || known.by === 'sign-up' || known.ownHome === true
  const givesHome = isWanted && account.root !== NO_ROOT
  if (givesHome && isEmptyScope(fields.scope ?? '')) {
    const scope = homeOf(account.username, settings)
    // Users who choose their own name must not get an existing folder of that name. All others are named by someone who knows
    // which folders there are.
    return { account: { ...account, scope, passwordHash }, id, home: known.by === 'sign-up' ? 'empty' : 'any' }
  }
  return { account: { ...account, scope: cleanScope(account.scope), passwordHash }, id }
}

/** Whether the settings let such people have accounts. @throws METHOD_REFUSED, FORBIDDEN */
export function requireAdmitted(by: NewAccount['by'], { signup, auth }: Readonly<Settings>): void {
  if (by === 'sign-up' && !signup)
    fail('METHOD_REFUSED', 'sign-up is switched off; ask an administrator for an account')
  if (by === 'provider' && !auth.createUsers)
    fail('FORBIDDEN', 'there is no account of this name; ask an administrator for one')
}

function defaultsFor({ by, bare = false }: NewAccount, defaults: Readonly<UserDefaults>): UserDefaults {
  const { perm, quota, quotaFiles } = defaults
  // Old clients cannot set a quota, so their new users get the default one.
  if (bare) return { ...API_DEFAULTS, quota, quotaFiles }
  if (by === 'administrator') return defaults
  // Whatever the defaults grant, a self-made account is not an administrator and cannot run commands (CVE-2026-32760,
  // CVE-2026-34528, CVE-2026-35607).
  return {
    ...defaults,
    perm: { ...perm, admin: false, execute: false, share: perm.share && perm.download },
    commands: [],
  }
}

function accountWith(defaults: UserDefaults, now: number): User {
  return {
    ...structuredClone({ ...defaults, ...BEYOND_DEFAULTS }),
    id: 1 as UserId,
    username: '',
    passwordHash: '',
    updatedAt: now,
    credentialsVersion: 0,
  }
}

/** The fields of new accounts that have no default in the settings. */
export const BEYOND_DEFAULTS = {
  lockPassword: false,
  permissionRules: [],
  places: [],
  denied: [],
  disabled: false,
  rules: [],
  favourites: [],
  recent: [],
  folderSizes: false,
} satisfies Partial<User>

/** No permissions, as API clients expect of a user created from a few fields. */
export const API_DEFAULTS: UserDefaults = {
  scope: '',
  perm: NO_PERMISSIONS,
  commands: [],
  quota: 0,
  quotaFiles: 0,
  locale: '',
  viewMode: 'list',
  singleClick: false,
  redirectAfterCopyMove: false,
  sorting: DEFAULT_SORTING,
  hideDotfiles: false,
  dateFormat: false,
  aceEditorTheme: '',
}

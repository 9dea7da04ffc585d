import { Type, type Static } from 'typebox'
import type { RootId, UserId } from '../ids.ts'
import { Permissions } from '../access/permission-fields.ts'
import { GROUP_PERMISSIONS } from '../access/permissions.ts'
import { MAX_RULES, PermissionRules, Rule } from '../access/rule.ts'
import { Places, WantedPlaces } from './place.ts'
import { FACTORS, Factors, factorsOf } from './factors.ts'
import { MAX_IDENTITIES, ProviderIdentity } from './provider-identity.ts'
import { KeptSorting, Sorting } from '../files/sorting.ts'

export const VIEW_MODES = ['list', 'mosaic', 'mosaic gallery'] as const

/** The preferences of a user, and the defaults of new users. */
const PREFERENCES = {
  locale: Type.String({ default: 'en', maxLength: 16, title: 'Language' }),
  viewMode: Type.Enum(VIEW_MODES, { default: 'mosaic', title: 'View' }),
  singleClick: Type.Boolean({ default: false, title: 'Open with a single click' }),
  redirectAfterCopyMove: Type.Boolean({ default: true, title: 'Open the destination after copying or moving' }),
  sorting: Sorting,
  hideDotfiles: Type.Boolean({ default: false, title: 'Do not show hidden files' }),
  dateFormat: Type.Boolean({ default: false, title: 'Show exact dates' }),
  aceEditorTheme: Type.String({ default: '', maxLength: 64, title: 'Editor theme' }),
}

const PLACES = {
  favourites: Type.Array(Type.String({ maxLength: 4096 }), {
    default: [],
    maxItems: 100,
    title: 'Favourites',
    'x-filemgr': { cli: false },
  }),
  recent: Type.Array(Type.String({ maxLength: 4096 }), {
    default: [],
    maxItems: 50,
    title: 'Recent folders',
    'x-filemgr': { cli: false },
  }),
}

const FOLDER_SIZES = Type.Boolean({ default: false, title: 'Show folder sizes' })

/** Left out in the root `files`. */
const ROOT = Type.Optional(
  Type.Unsafe<RootId>(
    Type.String({
      maxLength: 64,
      title: 'Root',
      description: 'The root that has the folder. Leave empty for the served folder.',
    }),
  ),
)

const GRANTS = {
  root: ROOT,
  scope: Type.String({
    default: '/',
    maxLength: 4096,
    title: 'Scope',
    description: 'The folder that the user sees as “My files”.',
    'x-filemgr': { widget: 'folder' },
  }),
  perm: Permissions,
  commands: Type.Array(Type.String({ maxLength: 256 }), {
    default: [],
    maxItems: 256,
    title: 'Commands in the terminal',
    description: 'Program names separated by spaces. Leave empty for none.',
    'x-filemgr': { widget: 'words' },
  }),
}

/** Limits of an account, and what a group gives its members as such. */
export const QUOTA = {
  quota: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    title: 'Quota',
    description: 'Everything in the scope counts, with trash and unfinished uploads. 0 means no limit.',
    'x-filemgr': { widget: 'bytes' },
  }),
  quotaFiles: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000_000,
    title: 'Number of files and folders',
    description: 'The most files and folders in the scope. 0 means no limit.',
  }),
}

/** The template of new users (settings.defaults). The defaults are those of File Browser, which old clients expect. */
export const UserDefaults = Type.Object(
  {
    ...GRANTS,
    ...QUOTA,
    scope: { ...GRANTS.scope, default: '.' },
    perm: Type.Object(
      { ...Permissions.properties, execute: { ...Permissions.properties.execute, default: true } },
      { title: 'Permissions' },
    ),
    ...PREFERENCES,
    sorting: Type.Object(
      { ...Sorting.properties, by: { ...Sorting.properties.by, default: '' } },
      { title: 'Sorting' },
    ),
  },
  { title: 'Defaults of new users', 'x-filemgr': { group: 'New users' } },
)
export type UserDefaults = Static<typeof UserDefaults>

const { root: _root, quota: _quota, quotaFiles: _quotaFiles, ...original } = UserDefaults.properties

/** The defaults that the API of File Browser has. */
export const WireUserDefaults = Type.Object(original, {
  title: 'Defaults of new users',
  'x-filemgr': { group: 'New users' },
})

const ACCOUNT = {
  id: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  username: Type.String({ minLength: 1, maxLength: 255, title: 'Username', 'x-filemgr': { short: 'u' } }),
  lockPassword: Type.Boolean({ default: false, title: 'Prevent the user from changing the password' }),
  rules: Type.Array(Rule, {
    default: [],
    maxItems: MAX_RULES,
    title: 'Rules',
    'x-filemgr': { widget: 'rules', cli: false },
  }),
}

/** What the account does not have, whatever its groups give. */
const DENIED = Type.Array(Type.Enum(GROUP_PERMISSIONS), {
  default: [],
  maxItems: GROUP_PERMISSIONS.length,
  uniqueItems: true,
  title: 'Never allowed',
  'x-filemgr': { cli: false },
})

const DISABLED = Type.Boolean({
  default: false,
  title: 'Account disabled: no sign-in, and its public links do not open',
})

/** The stored record. It never leaves the services: replies are UserViews, or the hash would leak (GHSA-833g-cqhp-h72j). */
export const User = Type.Object({
  ...ACCOUNT,
  ...GRANTS,
  ...QUOTA,
  ...PREFERENCES,
  ...PLACES,
  folderSizes: FOLDER_SIZES,
  sorting: KeptSorting,
  permissionRules: PermissionRules,
  places: Places,
  denied: DENIED,
  disabled: DISABLED,
  /** Milliseconds since 1970; only for sessions that have ended. */
  lastSeenAt: Type.Optional(Type.Integer({ minimum: 0 })),
  /** What the user has marked as read, on any device. */
  noticesSeen: Type.Optional(
    Type.Object({
      /** Milliseconds since 1970. */
      until: Type.Integer({ minimum: 0 }),
      /** How full the quota was, in percent: 0, 90 or 100. */
      fullness: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
  ),
  /** Who the user is for providers. */
  identities: Type.Optional(Type.Array(ProviderIdentity, { maxItems: MAX_IDENTITIES })),
  /** Absent without a second factor. */
  factors: Type.Optional(Factors),
  /** When the account was first asked to set up a required factor, in milliseconds since 1970. */
  factorAskedAt: Type.Optional(Type.Integer({ minimum: 0 })),
  /** argon2id, or bcrypt from an old installation until the next sign-in. */
  passwordHash: Type.String(),
  /** Milliseconds since 1970. Clients are told to renew older tokens. */
  updatedAt: Type.Integer({ minimum: 0 }),
  /** Grows when the password or the admin permission changes, and with the first second factor and the loss of all: then all devices must sign in again. */
  credentialsVersion: Type.Integer({ default: 0, minimum: 0 }),
})
export type User = Static<typeof User>

/** A user on the wire: `password` is always empty. */
export const UserView = Type.Object({
  ...ACCOUNT,
  password: Type.Literal(''),
  ...GRANTS,
  ...PREFERENCES,
  sorting: KeptSorting,
  /** Left out if empty or off: old clients do not know these fields. */
  favourites: Type.Optional(PLACES.favourites),
  recent: Type.Optional(PLACES.recent),
  folderSizes: Type.Optional(FOLDER_SIZES),
  permissionRules: Type.Optional(PermissionRules),
  places: Type.Optional(Places),
  denied: Type.Optional(DENIED),
  disabled: Type.Optional(DISABLED),
  quota: Type.Optional(QUOTA.quota),
  quotaFiles: Type.Optional(QUOTA.quotaFiles),
  /** Left out for an account without groups. Users do not see their own. */
  groups: Type.Optional(Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))),
  /** With what groups give, without what is denied; left out if it is the same. */
  effective: Type.Optional(Type.Object({ perm: Permissions, ...QUOTA })),
  /** RFC 3339; absent for accounts that were never used. */
  lastSeenAt: Type.Optional(Type.String()),
  secondFactors: Type.Optional(Type.Array(Type.Enum(FACTORS))),
})
export type UserView = Static<typeof UserView>

/** The fields that a request or command may set. `password` is clear text and is hashed immediately. */
export const UserPatch = Type.Partial(
  Type.Object({
    username: ACCOUNT.username,
    password: Type.String({
      maxLength: 1024,
      title: 'Password',
      'x-filemgr': { widget: 'secret', secret: true, cli: false },
    }),
    lockPassword: ACCOUNT.lockPassword,
    permissionRules: PermissionRules,
    places: WantedPlaces,
    denied: DENIED,
    disabled: DISABLED,
    rules: ACCOUNT.rules,
    ...GRANTS,
    ...QUOTA,
    ...PREFERENCES,
    ...PLACES,
    folderSizes: FOLDER_SIZES,
  }),
)
export type UserPatch = Static<typeof UserPatch>

/** Fields of their own account that users may change, besides the password. */
export const OWN_FIELDS: readonly string[] = [
  'locale',
  'viewMode',
  'singleClick',
  'redirectAfterCopyMove',
  'sorting',
  'hideDotfiles',
  'dateFormat',
  'aceEditorTheme',
  'favourites',
  'recent',
  'folderSizes',
] satisfies (keyof UserPatch)[]

/** Whether a change needs the actor's current password, as everything but preferences does. */
export function isSensitive(fields: readonly string[]): boolean {
  return fields.some((name) => !OWN_FIELDS.includes(name))
}

export function isAdministrator({ perm, disabled }: Pick<User, 'perm' | 'disabled'>): boolean {
  return perm.admin && !disabled
}

/** The account that everyone uses if sign-in is disabled: the first one that is enabled. */
export function passwordlessUser(users: readonly User[]): User | undefined {
  return users.filter(({ disabled }) => !disabled).toSorted((a, b) => a.id - b.id)[0]
}

/** An account without its credentials. @param seen when it was last used, in milliseconds since 1970 */
export function viewOf(user: User, seen = user.lastSeenAt): UserView {
  const {
    passwordHash: _secret,
    updatedAt: _updated,
    credentialsVersion: _version,
    lastSeenAt: _used,
    noticesSeen: _seen,
    identities: _identities,
    factors,
    factorAskedAt: _asked,
    favourites,
    recent,
    folderSizes,
    permissionRules,
    places,
    denied,
    disabled,
    quota,
    quotaFiles,
    ...shown
  } = user
  return {
    ...shown,
    password: '',
    ...(favourites.length > 0 && { favourites }),
    ...(recent.length > 0 && { recent }),
    ...(folderSizes && { folderSizes }),
    ...(permissionRules.length > 0 && { permissionRules }),
    ...(places.length > 0 && { places }),
    ...(denied.length > 0 && { denied }),
    ...(disabled && { disabled }),
    ...(quota > 0 && { quota }),
    ...(quotaFiles > 0 && { quotaFiles }),
    ...(seen !== undefined && { lastSeenAt: new Date(seen).toISOString() }),
    ...(factors && { secondFactors: factorsOf({ factors }) }),
  }
}

import { Type, type Static } from 'typebox'
import type { UserId } from '../ids.ts'
import { Permissions } from '../access/permissions.ts'
import { MOST_RULES, Rule } from '../access/rule.ts'
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

/** Folders that a user returns to: favourites and recent ones. */
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

const GRANTS = {
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

/** The template of new users (settings.defaults). A fresh instance has these values, as clients of the wire know them. */
export const UserDefaults = Type.Object(
  {
    ...GRANTS,
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

const ACCOUNT = {
  id: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  username: Type.String({ minLength: 1, maxLength: 255, title: 'Username', 'x-filemgr': { short: 'u' } }),
  lockPassword: Type.Boolean({ default: false, title: 'Prevent the user from changing the password' }),
  rules: Type.Array(Rule, {
    default: [],
    maxItems: MOST_RULES,
    title: 'Rules',
    'x-filemgr': { widget: 'rules', cli: false },
  }),
}

const DISABLED = Type.Boolean({
  default: false,
  title: 'Account disabled: no sign-in, and its public links do not open',
})

/** The stored record. It never leaves the services: replies are built as UserView, or the hash would leak (GHSA-833g-cqhp-h72j). */
export const User = Type.Object({
  ...ACCOUNT,
  ...GRANTS,
  ...PREFERENCES,
  ...PLACES,
  sorting: KeptSorting,
  disabled: DISABLED,
  /** Milliseconds: of devices that have signed out since. */
  lastSeenAt: Type.Optional(Type.Integer({ minimum: 0 })),
  /** argon2id, or bcrypt from an old installation until the next sign-in. */
  passwordHash: Type.String(),
  /** Milliseconds. A token that is older asks to be renewed. */
  updatedAt: Type.Integer({ minimum: 0 }),
  /** Grows when every device must sign in again: another password, the admin permission given or taken. */
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
  /** Left out where there are none: clients of the wire know no such fields. */
  favourites: Type.Optional(PLACES.favourites),
  recent: Type.Optional(PLACES.recent),
  disabled: Type.Optional(DISABLED),
  /** RFC 3339; left out for accounts that were never used. */
  lastSeenAt: Type.Optional(Type.String()),
})
export type UserView = Static<typeof UserView>

/** What a request or a command may set. `password` is clear text and is hashed at once. */
export const UserPatch = Type.Partial(
  Type.Object({
    username: ACCOUNT.username,
    password: Type.String({
      maxLength: 1024,
      title: 'Password',
      'x-filemgr': { widget: 'secret', secret: true, cli: false },
    }),
    lockPassword: ACCOUNT.lockPassword,
    disabled: DISABLED,
    rules: ACCOUNT.rules,
    ...GRANTS,
    ...PREFERENCES,
    ...PLACES,
  }),
)
export type UserPatch = Static<typeof UserPatch>

/** Whether the account may administer: an administrator who is not disabled. */
export function isAdministrator({ perm, disabled }: Pick<User, 'perm' | 'disabled'>): boolean {
  return perm.admin && !disabled
}

/** Whom everyone acts as where sign-in is switched off: the first account. */
export function passwordlessUser(users: readonly User[]): User | undefined {
  return users.filter(({ disabled }) => !disabled).toSorted((a, b) => a.id - b.id)[0]
}

/** An account without its credentials. @param seen when one of its devices was last used, in milliseconds since 1970 */
export function viewOf(user: User, seen = user.lastSeenAt): UserView {
  const {
    passwordHash: _secret,
    updatedAt: _updated,
    credentialsVersion: _version,
    lastSeenAt: _seen,
    favourites,
    recent,
    disabled,
    ...shown
  } = user
  return {
    ...shown,
    password: '',
    ...(favourites.length > 0 && { favourites }),
    ...(recent.length > 0 && { recent }),
    ...(disabled && { disabled }),
    ...(seen !== undefined && { lastSeenAt: new Date(seen).toISOString() }),
  }
}

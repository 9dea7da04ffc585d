import { Type, type Static } from 'typebox'
import { NO_PERMISSIONS, type Permission, type Permissions } from '../access/permissions.ts'
import type { TokenId, UserId } from '../ids.ts'
import { ROOT, type VirtualPath } from '../files/virtual-path.ts'

/** The permissions that a token can have. Never `execute`: the terminal needs a sign-in. */
export const TOKEN_PERMISSIONS = [
  'download',
  'create',
  'modify',
  'rename',
  'delete',
  'share',
  'admin',
] as const satisfies readonly Permission[]
export type TokenPermission = (typeof TOKEN_PERMISSIONS)[number]

/** Of one user. */
export const MAX_TOKENS = 100

const SHOWN = {
  id: Type.Unsafe<TokenId>(Type.String({ minLength: 12, maxLength: 64, pattern: '^[\\w-]+$' })),
  name: Type.String({ minLength: 1, maxLength: 64, title: 'Name' }),
  permissions: Type.Array(Type.Enum(TOKEN_PERMISSIONS), {
    maxItems: TOKEN_PERMISSIONS.length,
    uniqueItems: true,
    title: 'Permissions',
    description: 'Of those that the user has at the time of each request. Listing needs none.',
  }),
  path: Type.Unsafe<VirtualPath>(
    Type.String({
      default: ROOT,
      maxLength: 4096,
      title: 'Folder',
      description: 'The token reaches only this path in the folder of the user, and what is in it.',
    }),
  ),
}

/** The stored record of an API token, which acts for a user. Times are in milliseconds since 1970, 0 = never. */
export const ApiToken = Type.Object({
  ...SHOWN,
  userId: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  /** SHA-256, in hex. It never leaves the services. */
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  created: Type.Integer({ minimum: 0 }),
  expires: Type.Integer({ default: 0, minimum: 0 }),
  lastUsed: Type.Integer({ default: 0, minimum: 0 }),
})
export type ApiToken = Static<typeof ApiToken>

/** A token as its owner and administrators see it. Times are RFC 3339; absent for never. */
export const ApiTokenView = Type.Object({
  ...SHOWN,
  userId: ApiToken.properties.userId,
  username: Type.String(),
  created: Type.String(),
  expires: Type.Optional(Type.String()),
  lastUsed: Type.Optional(Type.String()),
})
export type ApiTokenView = Static<typeof ApiTokenView>

export const NewApiToken = Type.Object({
  name: SHOWN.name,
  permissions: Type.Optional(SHOWN.permissions),
  path: Type.Optional(Type.String({ maxLength: 4096 })),
  expires: Type.Optional(
    Type.String({ maxLength: 32, description: 'Lifetime, such as "30d" or "12h"; empty = never' }),
  ),
})
export type NewApiToken = Static<typeof NewApiToken>

/** A new token, with the only copy of its secret. */
export const MadeApiToken = Type.Object({
  ...ApiTokenView.properties,
  token: Type.String({ description: 'The secret. It cannot be shown again.' }),
})
export type MadeApiToken = Static<typeof MadeApiToken>

/** The permissions that both the user and the token have. A token of a single folder cannot administer the server. */
export function narrowed(perm: Permissions, { permissions, path }: ApiToken): Permissions {
  const given = permissions.filter((name) => perm[name] && (name !== 'admin' || path === ROOT))
  return { ...NO_PERMISSIONS, ...Object.fromEntries(given.map((name) => [name, true])) }
}

/** @param now milliseconds since 1970 */
export function hasExpired({ expires }: ApiToken, now: number): boolean {
  return expires !== 0 && expires <= now
}

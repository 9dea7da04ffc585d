import { Type, type Static } from 'typebox'
import type { UserId } from '../domain/ids.ts'
import { Maintenance } from '../domain/server/maintenance.ts'
import { Root } from '../domain/server/root.ts'
import { ServerOptions } from '../domain/server/server-options.ts'
import { Settings } from '../domain/settings/settings.ts'
import { ApiToken } from '../domain/accounts/api-token.ts'
import { Grant } from '../domain/shares/grant.ts'
import { Provider } from '../domain/accounts/provider.ts'
import { ReservedSlug, Share } from '../domain/shares/share.ts'
import { Group } from '../domain/accounts/group.ts'
import { User } from '../domain/accounts/user.ts'
import { StoredWebhook } from '../domain/automation/webhook.ts'
import { Value } from 'typebox/value'
import { systemRandom, type Random } from '../platform/security/random.ts'
import { packageVersion } from '../platform/version.ts'
import type { Migrations, Problem } from './json/document-codec.ts'

export const STORE_VERSION = 1

const STORE_MIGRATIONS: Migrations = {}

/** Default folder of the uploaded branding files; a restore creates another one. */
export const OWN_BRANDING = 'branding'

/**
 * store.json. `server` holds only options that were saved; the others have their defaults. `secrets` is never listed or
 * exported.
 */
export const StoreDocument = Type.Object({
  version: Type.Literal(STORE_VERSION),
  settings: Settings,
  server: Type.Partial(ServerOptions),
  /** Those beside the one that the server option `root` names. */
  roots: Type.Array(Root, { default: [] }),
  users: Type.Array(User),
  groups: Type.Array(Group, { default: [] }),
  shares: Type.Array(Share),
  /** Addresses of ended links: only their former owners and administrators may take them. */
  reservedSlugs: Type.Array(ReservedSlug, { default: [] }),
  grants: Type.Array(Grant, { default: [] }),
  webhooks: Type.Array(StoredWebhook, { default: [] }),
  tokens: Type.Array(ApiToken, { default: [] }),
  /** In the order of their buttons. */
  providers: Type.Array(Provider, { default: [] }),
  /** Ids of deleted users are never reused: an old token or share must not pass to a new user. */
  nextUserId: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  /** Folder of the uploaded branding files, beside this document; `OWN_BRANDING` when absent. */
  brandingFolder: Type.Optional(Type.String({ pattern: '^branding\\.[\\w-]+$' })),
  /** Absent while maintenance mode is off. */
  maintenance: Type.Optional(Maintenance),
  secrets: Type.Object({ tokenKey: Type.String({ minLength: 86, description: '64 random bytes, base64url' }) }),
})
export type StoreDocument = Static<typeof StoreDocument>

/** A store without users: settings at their defaults, no saved server options, a fresh key to sign tokens with. */
export function emptyDocument(random: Random = systemRandom): StoreDocument {
  return {
    version: STORE_VERSION,
    settings: Value.Create(Settings),
    server: {},
    roots: [],
    users: [],
    groups: [],
    shares: [],
    reservedSlugs: [],
    grants: [],
    webhooks: [],
    tokens: [],
    providers: [],
    nextUserId: 1 as StoreDocument['nextUserId'],
    secrets: { tokenKey: random.token(64) },
  }
}

/**
 * Finds duplicates, which a schema cannot express: two users with one id or name would share files, links and tokens, and two
 * groups what they give.
 */
function findStoreProblem(
  document: StoreDocument,
  unchecked: StoreDocument,
  replaced: Readonly<Record<string, readonly unknown[]>>,
): Problem | undefined {
  const { roots, users, groups, shares, grants, webhooks, tokens, providers, nextUserId } = document
  let highest = 0
  for (const { id } of users) if (id > highest) highest = id
  return (
    findDuplicate(roots, unchecked.roots, replaced['roots'], 'id', 'roots') ??
    findDuplicate(roots, unchecked.roots, replaced['roots'], 'name', 'roots') ??
    findDuplicate(users, unchecked.users, replaced['users'], 'id', 'users') ??
    findDuplicate(users, unchecked.users, replaced['users'], 'username', 'users') ??
    findSharedIdentity(users, unchecked.users) ??
    findDuplicate(groups, unchecked.groups, replaced['groups'], 'id', 'groups') ??
    findDuplicate(groups, unchecked.groups, replaced['groups'], 'name', 'groups') ??
    findDuplicate(shares, unchecked.shares, replaced['shares'], 'hash', 'shares') ??
    findDuplicate(grants, unchecked.grants, replaced['grants'], 'id', 'grants') ??
    findDuplicate(webhooks, unchecked.webhooks, replaced['webhooks'], 'id', 'webhooks') ??
    findDuplicate(tokens, unchecked.tokens, replaced['tokens'], 'id', 'tokens') ??
    findDuplicate(tokens, unchecked.tokens, replaced['tokens'], 'hash', 'tokens') ??
    findDuplicate(providers, unchecked.providers, replaced['providers'], 'id', 'providers') ??
    (nextUserId > highest
      ? undefined
      : { field: 'nextUserId', problem: `must be above ${highest}, the highest user id` })
  )
}

/**
 * @param unchecked the records that are new or changed; all others are known to be unique
 * @param replaced what was in their places: with the same key as before, a record is as unique as before
 */
function findDuplicate<T>(
  records: readonly T[],
  unchecked: readonly T[],
  replaced: readonly unknown[] = [],
  key: keyof T & string,
  field: string,
): Problem | undefined {
  const isNew = (record: T, at: number) => record[key] !== (replaced[at] as T | undefined)?.[key]
  const uncheckedKeys = new Set<unknown>(unchecked.filter(isNew).map((record) => record[key]))
  if (uncheckedKeys.size === 0) return undefined
  const [only] = uncheckedKeys
  const seen = new Map<unknown, number>()
  // A plain loop: after most changes, it looks for one record among a hundred thousand.
  for (let index = 0; index < records.length; index += 1) {
    const value = records[index]?.[key]
    if (uncheckedKeys.size === 1 ? value !== only : !uncheckedKeys.has(value)) continue
    const first = seen.get(value)
    if (first !== undefined)
      return { field: `${field}/${index}/${key}`, problem: `is the same as ${field}/${first}/${key}` }
    seen.set(value, index)
  }
  return undefined
}

/** One person at a provider must not be two accounts. */
function findSharedIdentity(users: readonly User[], unchecked: readonly User[]): Problem | undefined {
  if (unchecked.every(({ identities = [] }) => identities.length === 0)) return undefined
  const owners = new Map<string, number>()
  for (const [index, { identities = [] }] of users.entries()) {
    for (const { issuer, subject } of identities) {
      const key = JSON.stringify([issuer, subject])
      const first = owners.get(key)
      if (first !== undefined)
        return { field: `users/${index}/identities`, problem: `is the same person as users/${first}/identities` }
      owners.set(key, index)
    }
  }
  return undefined
}

export const STORE_FORMAT = {
  schema: StoreDocument,
  version: STORE_VERSION,
  migrations: STORE_MIGRATIONS,
  keys: {
    roots: 'id',
    users: 'id',
    groups: 'id',
    shares: 'hash',
    reservedSlugs: 'slug',
    grants: 'id',
    webhooks: 'id',
    tokens: 'id',
    providers: 'id',
  },
  program: packageVersion,
  findProblem: findStoreProblem,
}

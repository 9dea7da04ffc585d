import { type Accounts, type Actor, requireSignedIn, type TokenHolder } from '../../../domain/accounts/actor.ts'
import {
  type ApiToken,
  type ApiTokenView,
  hasExpired,
  type MadeApiToken,
  MAX_TOKENS,
  narrowed,
  type NewApiToken,
  TOKEN_PERMISSIONS,
} from '../../../domain/accounts/api-token.ts'
import { fail } from '../../../domain/errors.ts'
import type { TokenId, UserId } from '../../../domain/ids.ts'
import { mayDo } from '../../../domain/access/permissions.ts'
import type { EffectiveUser } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { parseVirtualPath, ROOT } from '../../../domain/files/virtual-path.ts'
import { foldName } from '../../../domain/text/fold.ts'
import { hasControls } from '../../../domain/text/printable.ts'
import { parseDuration } from '../../../domain/text/units.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { isApiToken, newApiToken } from '../../../platform/security/api-token-text.ts'
import type { Random } from '../../../platform/security/random.ts'
import { digestOf } from '../../../platform/security/tokens.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { ConfirmPassword } from '../auth/passwords.ts'
import type { ClientInfo } from '../auth/sign-in-request.ts'
import type { Throttle } from '../auth/throttle.ts'
import { UserIndex } from '../../stored-users.ts'
import type { TokenUse } from './token-use.ts'

export interface ApiTokensDeps {
  readonly store: Store<StoreDocument>
  readonly use: TokenUse
  readonly throttle: Throttle
  readonly confirm: ConfirmPassword
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

export interface NewTokenOptions {
  /** The actor's password. */
  readonly currentPassword?: string | undefined
  /** The user for whom the operator makes the token. */
  readonly owner?: UserId | undefined
}

/** The token and its account, narrowed by it; or why it cannot be used. */
type TokenState = { readonly token: ApiToken; readonly user: EffectiveUser } | { readonly problem: string }

/** The latest moment that RFC 3339 can express. */
const END_OF_TIME = Date.UTC(9999, 11, 31)

/**
 * API tokens: secrets with which programs act for a user, within permissions, a path and a time. Only people who have signed in
 * manage them, so a stolen token cannot make itself another.
 */
export function createApiTokens({ store, use, throttle, confirm, clock, random, log }: ApiTokensDeps) {
  /** Tokens by their hash, for each list of tokens in the store: the array stays the same until a token changes. */
  const indexes = new WeakMap<readonly ApiToken[], Map<string, ApiToken>>()
  const accounts = new UserIndex(store)
  /** Accounts as tokens narrow them. Kept, because the rules of each user object are compiled once. */
  const narrowedUsers = new WeakMap<EffectiveUser, WeakMap<ApiToken, EffectiveUser>>()

  /**
   * Tokens are 256 random bits, which nobody can guess, so a slow hash like that of passwords would only cost time. With SHA-256,
   * a stolen store contains no usable tokens. They are looked up by hash, so the duration of a lookup reveals nothing about them.
   */
  const findByHash = (hash: string): ApiToken | undefined => {
    const { tokens } = store.snapshot()
    const index = indexes.get(tokens) ?? new Map(tokens.map((token) => [token.hash, token]))
    indexes.set(tokens, index)
    return index.get(hash)
  }

  const narrowedUser = (token: ApiToken, user: EffectiveUser): EffectiveUser => {
    const ofUser = narrowedUsers.get(user) ?? new WeakMap<ApiToken, EffectiveUser>()
    narrowedUsers.set(user, ofUser)
    const known = ofUser.get(token)
    if (known !== undefined) return known
    const made = { ...user, perm: narrowed(user.perm, token) }
    ofUser.set(token, made)
    return made
  }

  /** What the owner may do by the token now, or why it cannot be used. */
  const stateOf = (token: ApiToken | undefined, at?: Accounts): TokenState => {
    if (token === undefined) return { problem: 'it is unknown or was revoked' }
    if (hasExpired(token, clock.now())) return { problem: 'it has expired' }
    const user = accounts.find(token.userId, at)
    if (user === undefined || user.disabled) return { problem: 'its account is disabled' }
    return { token, user: narrowedUser(token, user) }
  }

  /** Counts failures apart from those of passwords: a forgotten script must not keep people at its address from signing in. */
  const refuse = async (problem: string, { address }: ClientInfo, token?: ApiToken): Promise<never> => {
    // First, so that those beyond the limit are logged too. The address is in the message for fail2ban.
    log.warn({ token: token?.id, name: token?.name }, `an API token from ${address} was refused: ${problem}`)
    await throttle.attempt({ tokenFrom: address }, async () => undefined)
    return failFor(problem)
  }

  const actorOf = (token: ApiToken, { id, username, allPlaces }: EffectiveUser): TokenHolder => {
    const user = (at?: Accounts) => {
      const stored = at === undefined ? findByHash(token.hash) : at.tokens.find(({ hash }) => hash === token.hash)
      const now = stateOf(stored, at)
      return 'problem' in now ? failFor(now.problem) : now.user
    }
    return { kind: 'user', id, username, allPlaces, token, user, passed: new Set() }
  }

  const viewOf = (token: ApiToken, users: readonly User[]): ApiTokenView => {
    const { id, name, permissions, path, userId, created, expires } = token
    const lastUsed = use.lastOf(token)
    const username = users.find((user) => user.id === userId)?.username ?? ''
    return {
      id,
      name,
      permissions,
      path,
      userId,
      username,
      created: isoOf(created),
      ...(expires !== 0 && { expires: isoOf(expires) }),
      ...(lastUsed !== 0 && { lastUsed: isoOf(lastUsed) }),
    }
  }

  const requireManageable = (actor: Actor, owner: UserId | undefined): void => {
    requireSignedIn(actor)
    if (actor.kind === 'user' && actor.id !== owner && !mayDo(actor.user().perm, 'users.manage'))
      fail('FORBIDDEN', 'only administrators see the tokens of others')
  }

  return {
    /**
     * The actor for a token.
     *
     * @param username if the client sent one with it, as with Basic authentication
     * @throws UNAUTHENTICATED; RATE_LIMITED instead after too many failures. A valid token is never delayed.
     */
    async authenticate(secret: string, client: ClientInfo, username?: string): Promise<TokenHolder> {
      if (!isApiToken(secret)) return await refuse('it is damaged or incomplete', client)
      const found = findByHash(digestOf(secret))
      const state = stateOf(found)
      if ('problem' in state) return await refuse(state.problem, client, found)
      const { token } = state
      if (username !== undefined && foldName(username) !== foldName(state.user.username))
        return await refuse('it belongs to another user', client, token)
      use.record(token)
      return actorOf(token, state.user)
    },

    /** The actor for a token that was admitted before, to continue what it began. @throws UNAUTHENTICATED */
    actorAgain(id: TokenId): TokenHolder {
      const state = stateOf(store.snapshot().tokens.find((token) => token.id === id))
      return 'problem' in state ? failFor(state.problem) : actorOf(state.token, state.user)
    },

    /** The user's tokens, latest first; for administrators and the operator, also those of others. @throws FORBIDDEN */
    list(actor: Actor, { all = false, userId }: { all?: boolean; userId?: UserId } = {}): ApiTokenView[] {
      const onlyUser = userId ?? (all || actor.kind === 'operator' ? undefined : actor.id)
      requireManageable(actor, onlyUser)
      const { tokens, users } = store.snapshot()
      return tokens
        .filter((token) => onlyUser === undefined || token.userId === onlyUser)
        .toSorted((a, b) => b.created - a.created)
        .map((token) => viewOf(token, users))
    },

    /** @throws INVALID_INPUT, also for a wrong password; FORBIDDEN, NOT_FOUND, CONFLICT */
    async create(
      actor: Actor,
      { name, permissions = [], path, expires }: NewApiToken,
      { currentPassword, owner }: NewTokenOptions = {},
    ): Promise<MadeApiToken> {
      requireSignedIn(actor)
      await confirm(actor, currentPassword)
      const userId = actor.kind === 'user' ? actor.id : owner
      if (userId === undefined) fail('INVALID_INPUT', 'name the user of the token', { field: 'user' })
      const now = clock.now()
      const secret = newApiToken(random)
      const token: ApiToken = {
        id: random.token(12) as TokenId,
        name: usableName(name),
        permissions: TOKEN_PERMISSIONS.filter((permission) => permissions.includes(permission)),
        path: parseVirtualPath(path ?? ROOT),
        userId,
        hash: digestOf(secret),
        created: now,
        expires: endOf(expires, now),
        lastUsed: 0,
      }
      if (token.permissions.includes('share') && !token.permissions.includes('download'))
        fail('INVALID_INPUT', 'permission to share requires permission to download', { field: 'permissions' })
      if (token.path !== ROOT && token.permissions.includes('admin'))
        fail('INVALID_INPUT', 'a token with the administrator permission cannot be limited to a folder', {
          field: 'path',
        })
      return await store.update((draft, now) => {
        if (actor.kind === 'user') actor.user(now)
        const user = accounts.find(userId, now) ?? fail('NOT_FOUND', 'there is no such user')
        // The permissions at that time decide at each request; this only avoids tokens that cannot do what they say.
        const missing = token.permissions.find((permission) => !user.perm[permission])
        if (missing !== undefined)
          fail('FORBIDDEN', `${user.username} does not have the permission "${missing}"`, { field: 'permissions' })
        const own = now.tokens.filter((each) => each.userId === userId)
        if (own.some((each) => each.name === token.name))
          fail('CONFLICT', `there is a token named "${token.name}" already`, { field: 'name', reason: 'tokenTaken' })
        if (own.length >= MAX_TOKENS)
          fail('CONFLICT', `a user can have at most ${MAX_TOKENS} tokens; revoke some first`, { reason: 'maximum' })
        draft.tokens = [...now.tokens, token]
        return { ...viewOf(token, now.users), token: secret }
      })
    },

    /** Takes effect at once, also for requests that are running. @throws NOT_FOUND, FORBIDDEN */
    async revoke(actor: Actor, id: string): Promise<ApiTokenView> {
      requireSignedIn(actor)
      return await store.update((draft, now) => {
        const token = now.tokens.find((each) => each.id === id)
        const isReachable = actor.kind === 'operator' || mayDo(actor.user(now).perm, 'users.manage')
        // Does not reveal that another user's token exists.
        if (token === undefined || (!isReachable && token.userId !== actor.id))
          fail('NOT_FOUND', 'there is no such token')
        draft.tokens = now.tokens.filter((each) => each !== token)
        // When the user was last seen must not go back.
        const seen = use.lastOf(token)
        const isNews = ({ id, lastSeenAt = 0 }: User) => id === token.userId && seen > lastSeenAt
        if (now.users.some(isNews))
          draft.users = now.users.map((user) => (isNews(user) ? { ...user, lastSeenAt: seen } : user))
        return viewOf(token, now.users)
      })
    },

    [Symbol.asyncDispose]: async () => await use[Symbol.asyncDispose](),
  }
}

export type ApiTokens = ReturnType<typeof createApiTokens>

function failFor(problem: string): never {
  return fail('UNAUTHENTICATED', `this API token cannot be used: ${problem}`)
}

/** @throws INVALID_INPUT */
function usableName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || hasControls(trimmed))
    fail('INVALID_INPUT', 'a token needs a name of one line', { field: 'name' })
  return trimmed
}

/** When a token expires, in milliseconds since 1970; 0 = never. @throws INVALID_INPUT */
function endOf(lifetime: string | undefined, now: number): number {
  if (lifetime === undefined || lifetime === '') return 0
  const duration = parseDuration(lifetime) ?? 0
  if (duration <= 0)
    fail('INVALID_INPUT', 'expires takes a duration such as 30d or 12h, or nothing for never', { field: 'expires' })
  return Math.min(END_OF_TIME, now + duration)
}

function isoOf(time: number): string {
  return new Date(time).toISOString()
}

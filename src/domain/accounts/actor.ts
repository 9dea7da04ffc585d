import { fail } from '../errors.ts'
import { requireRight, type Right } from '../access/permissions.ts'
import type { ApiToken } from './api-token.ts'
import type { Session } from './session.ts'
import type { ShareHash, UserId } from '../ids.ts'
import type { Share } from '../shares/share.ts'
import { isInside, type VirtualPath } from '../files/virtual-path.ts'
import type { User } from './user.ts'
import type { EffectiveUser } from './effective-user.ts'
import type { Group } from './group.ts'
import type { PlaceList } from './place-list.ts'

/**
 * Who does something: an identity, never a copy of rights. A request may run for hours and a job may wait as long, so rights are
 * asked of the store whenever something takes effect.
 */
export interface Identity {
  /**
   * Checks that the work of this actor has passed. The work ends as soon as one of them would fail (`ActorWatch`). Each request
   * and each job has an identity of its own, so that none ends because of another.
   */
  readonly passed: Set<() => void>
}

/** A user who has signed in, or a program with an API token of a user. */
export type UserActor = SignedIn | TokenHolder

/** The part of the stored document that decides about users. */
export interface Accounts {
  readonly users: readonly User[]
  readonly groups: readonly Group[]
  readonly tokens: readonly ApiToken[]
}

interface UserIdentity extends Identity {
  readonly kind: 'user'
  readonly id: UserId
  /** As of the request, for logs. */
  readonly username: string
  /** As of the request, for logs. */
  readonly allPlaces: PlaceList
  /**
   * The account as it is now, with what its groups give; for a token, with only the permissions that the token leaves.
   *
   * @param at the document that a write has just read, which may be newer than the snapshot
   * @throws UNAUTHENTICATED once the account was removed or disabled, the session was ended, or the token was revoked or expired
   */
  user(at?: Accounts): EffectiveUser
}

export interface SignedIn extends UserIdentity {
  readonly session: Session
  /** The session has expired: it may continue its own uploads and do nothing else. */
  readonly isExpired?: true
  readonly token?: undefined
}

export interface TokenHolder extends UserIdentity {
  readonly token: ApiToken
  readonly session?: undefined
  readonly isExpired?: undefined
}

/** Who makes a request. */
export type Actor =
  | UserActor
  /** The person at the command line of this machine; may do everything. */
  | { readonly kind: 'operator' }

/**
 * Someone who opened a public link. Only the guard of public routes creates one. It is deliberately not an `Actor`: no function
 * that takes an actor accepts a visitor, so visitors can only read inside the share.
 */
export interface Visitor extends Identity {
  readonly kind: 'visitor'
  readonly hash: ShareHash
  /** IP address. */
  readonly address: string
  /**
   * The link and its owner as they are now.
   *
   * @throws NOT_FOUND once the link was removed or expired, or its owner was removed or disabled; UNAUTHENTICATED once it has
   *         another password than the one that was checked
   */
  link(): { readonly share: Readonly<Share>; readonly owner: EffectiveUser }
}

export const OPERATOR: Actor = { kind: 'operator' }

/**
 * Passes for the operator, who may do everything. Call it before anything is read, and again inside the write.
 *
 * @param at as for `UserActor.user`
 * @throws FORBIDDEN for users without the right; as `UserActor.user`
 */
export function requireAdmin(actor: Actor, right: Right, at?: Accounts): void {
  if (actor.kind === 'user') requireRight(actor.user(at).perm, right)
}

/** @throws FORBIDDEN for the operator, who has no files */
export function userIdOf(actor: Actor): UserId {
  return actor.kind === 'user' ? actor.id : fail('FORBIDDEN', 'this belongs to users')
}

/** @throws FORBIDDEN for a token: what outlives it, or protects the account, needs a person who has signed in */
export function requireSignedIn(actor: Actor): asserts actor is Exclude<Actor, TokenHolder> {
  if (actor.kind === 'user' && actor.token !== undefined) {
    fail('FORBIDDEN', 'an API token cannot do this; sign in with your password')
  }
}

/** Whether a path of the actor's own scope is within the limits of a token. */
export function reachesPath(actor: Actor, path: VirtualPath): boolean {
  return actor.kind === 'operator' || actor.token === undefined || isInside(actor.token.path, path)
}

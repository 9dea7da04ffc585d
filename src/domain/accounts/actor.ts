import { fail } from '../errors.ts'
import { requireRight, type Right } from '../access/permissions.ts'
import type { ApiToken } from './api-token.ts'
import type { Session } from './session.ts'
import type { Share } from '../access/share.ts'
import { isInside, type VirtualPath } from '../files/virtual-path.ts'
import type { User } from './user.ts'

/** A user who has signed in, or a program with an API token of a user. */
export type UserActor = SignedIn | TokenHolder

export interface SignedIn {
  readonly kind: 'user'
  readonly user: User
  readonly session: Session
  /** The session has expired: it may continue its own uploads and do nothing else. */
  readonly isExpired?: true
  readonly token?: undefined
}

export interface TokenHolder {
  readonly kind: 'user'
  /** A copy of the account with only the permissions of the token, so that no check has to know about tokens. */
  readonly user: User
  readonly token: ApiToken
  readonly session?: undefined
  readonly isExpired?: undefined
}

/** Who makes a request. Permissions are read from the stored account at each call, never from a token. */
export type Actor =
  | UserActor
  /** The person at the command line of this machine; may do everything. */
  | { readonly kind: 'operator' }

/**
 * Someone who opened a public link. Only the guard of public routes creates one. It is deliberately not an `Actor`: no function
 * that takes an actor accepts a visitor, so visitors can only read inside the share.
 */
export interface Visitor {
  readonly kind: 'visitor'
  readonly share: Readonly<Share>
  readonly owner: User
  /** IP address. */
  readonly address: string
}

export const OPERATOR: Actor = { kind: 'operator' }

/** Passes for the operator, who may do everything. @throws FORBIDDEN for users without the right */
export function requireAdmin(actor: Actor, right: Right): void {
  if (actor.kind === 'user') requireRight(actor.user.perm, right)
}

/** @throws FORBIDDEN for the operator, who has no files */
export function userOf(actor: Actor): User {
  return actor.kind === 'user' ? actor.user : fail('FORBIDDEN', 'this belongs to users')
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

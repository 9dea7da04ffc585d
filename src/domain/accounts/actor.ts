import { fail } from '../errors.ts'
import { requireRight, type Right } from '../access/permissions.ts'
import type { Session } from './session.ts'
import type { Share } from '../access/share.ts'
import type { User } from './user.ts'

/** Who makes a request. Permissions are read from the stored account at each call, never from a token. */
export type Actor =
  | {
      readonly kind: 'user'
      readonly user: User
      readonly session: Session
      /** The session has expired: it may continue its own uploads and do nothing else. */
      readonly isExpired?: true
    }
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

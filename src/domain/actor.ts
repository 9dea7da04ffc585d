import { fail } from './errors.ts'
import type { Session } from './session.ts'
import type { Share } from './share.ts'
import type { User } from './user.ts'

/** Who is asking. Permissions are always those of the record at this moment, never those of a token. */
export type Actor =
  | {
      readonly kind: 'user'
      readonly user: User
      readonly session: Session
      /** The session has expired: it may go on with its own uploads, and do nothing else. */
      readonly late?: true
    }
  /** The person at the command line of this machine; may do everything. */
  | { readonly kind: 'operator' }

/**
 * Whoever came by a public link and has passed the guard of public routes, which alone makes one. It is no actor on purpose:
 * what takes an actor can never be handed a visitor, and so nothing but reading beneath the share is open to him.
 */
export interface Visitor {
  readonly kind: 'visitor'
  readonly share: Readonly<Share>
  readonly owner: User
  /** Where he comes from. */
  readonly address: string
}

export const OPERATOR: Actor = { kind: 'operator' }

/** @throws FORBIDDEN for an actor who is no user */
export function userOf(actor: Actor): User {
  return actor.kind === 'user' ? actor.user : fail('FORBIDDEN', 'this belongs to users')
}

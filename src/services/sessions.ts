import type { Actor } from '../domain/actor.ts'
import type { UserId } from '../domain/ids.ts'
import type { SessionView } from '../domain/session.ts'

/** Signed-in devices. One device is one family: its id stays the same through renewals. */
export interface Sessions extends AsyncDisposable {
  /** Own devices; those of everybody or of another user for administrators and the operator. Last seen first. */
  list(actor: Actor, filter?: { all?: boolean; userId?: UserId }): Promise<SessionView[]>
  /** @throws NOT_FOUND; FORBIDDEN for somebody else's */
  revoke(actor: Actor, id: string): Promise<void>
  /** Signs a user out everywhere. Resolves with the number of devices. */
  revokeAllOf(actor: Actor, userId: UserId): Promise<number>
}

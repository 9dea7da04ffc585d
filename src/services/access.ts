import type { Actor } from '../domain/actor.ts'
import type { Permissions } from '../domain/permissions.ts'
import type { Right } from '../domain/rights.ts'
import type { User } from '../domain/user.ts'
import type { VirtualPath } from '../domain/virtual-path.ts'
import type { ListingView, Scope } from '../storage/storage.ts'

/** Files as one user may see and change them, during one request. */
export interface FileAccess extends AsyncDisposable {
  readonly user: User
  /** Those of the user, without the ones that a read-only server takes away. */
  readonly permissions: Permissions
  readonly scope: Scope
  /** @param shownPath path of the folder as asked for, a slash at its end included */
  view(shownPath: string): ListingView
  /** What rules and hidden dotfiles say. */
  allows(path: VirtualPath): boolean
  /** @throws FORBIDDEN, also for a path where nothing is: whether something is there is not told */
  requireAllowed(path: VirtualPath): void
  /** @throws FORBIDDEN, NOT_PERMITTED_HERE */
  require(right: Right): void
}

export interface AccessService {
  /** @throws NOT_FOUND when the folder of the scope is missing; FORBIDDEN for an actor without files */
  for(actor: Actor): Promise<FileAccess>
}

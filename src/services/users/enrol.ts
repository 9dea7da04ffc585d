import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { User } from '../../domain/user.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../domain/virtual-path.ts'
import { storagePathOf, type Storage } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { requireFreeName } from './account-change.ts'
import { requireFreeHome } from './home-folder.ts'

export interface EnrolHow {
  /** The scope is a home of his own: nobody else may see it, now or later. */
  readonly ownsHome: boolean
  /** Whoever chooses his own name must not come into what lies in a folder of that name. */
  readonly emptyHome?: boolean
}

/**
 * Gives an account its id and its folder and stores it.
 *
 * @throws CONFLICT when the name or the home is somebody's
 */
export type Enrol = (account: User, how: EnrolHow) => Promise<User>

export interface EnrolDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'makeScope' | 'openScope'>
}

export function createEnrol({ store, storage }: EnrolDeps): Enrol {
  return async (account, { ownsHome, emptyHome = false }) => {
    const scope = cleanVirtualPath(account.scope)
    const requireFree = (document: Readonly<StoreDocument>): void => {
      requireFreeName(document, account)
      if (ownsHome) requireFreeHome(document, scope)
    }
    requireFree(store.snapshot())
    if (emptyHome) await requireEmpty(storage, scope)
    if (scope !== ROOT) await storage.makeScope(storagePathOf(scope))
    return await store.update((draft) => {
      // Once more, in the change itself: two who ask at once would both have found it free (CVE-2026-72836).
      requireFree(draft)
      const user: User = { ...account, scope, id: draft.nextUserId }
      draft.nextUserId = (draft.nextUserId + 1) as UserId
      draft.users.push(user)
      return user
    })
  }
}

/** @throws CONFLICT when something lies there */
async function requireEmpty(storage: EnrolDeps['storage'], folder: VirtualPath): Promise<void> {
  try {
    await using scope = await storage.openScope(storagePathOf(folder), 'inside')
    for await (const _entry of scope.walk(ROOT, { rules: [], rulePrefix: ROOT, hideDotfiles: false })) {
      fail('CONFLICT', 'there is a folder of that name already; take another name', { field: 'username' })
    }
  } catch (error) {
    if (!isFilemgrError(error, 'NOT_FOUND')) throw error
  }
}

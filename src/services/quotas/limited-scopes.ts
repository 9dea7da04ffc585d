import type { User } from '../../domain/accounts/user.ts'
import { hasQuota } from '../../domain/files/quota.ts'
import { cleanVirtualPath, isInside, parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'

/** Finds scopes of users with a quota, by paths in the served folder. */
export class LimitedScopes {
  readonly #store: Pick<Store<StoreDocument>, 'snapshot'>
  #users: readonly User[] | undefined
  #scopes: ReadonlySet<VirtualPath> = new Set()

  constructor(store: Pick<Store<StoreDocument>, 'snapshot'>) {
    this.#store = store
  }

  /** Those that contain a path. */
  around(path: VirtualPath): VirtualPath[] {
    const all = this.#all()
    if (all.size === 0) return []
    const found: VirtualPath[] = []
    for (let folder = path; ; folder = parentOf(folder)) {
      if (all.has(folder)) found.push(folder)
      if (folder === ROOT) return found
    }
  }

  /** Those that contain a path, or lie in it. */
  touching(path: VirtualPath): VirtualPath[] {
    const all = this.#all()
    return all.size === 0 ? [] : [...all].filter((scope) => isInside(scope, path) || isInside(path, scope))
  }

  #all(): ReadonlySet<VirtualPath> {
    const { users } = this.#store.snapshot()
    if (users !== this.#users) {
      this.#scopes = new Set(users.filter(hasQuota).map(({ scope }) => cleanVirtualPath(scope)))
      this.#users = users
    }
    return this.#scopes
  }
}

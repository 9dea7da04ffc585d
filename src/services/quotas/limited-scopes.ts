import type { User } from '../../domain/accounts/user.ts'
import { hasQuota } from '../../domain/files/quota.ts'
import { cleanVirtualPath, isInside, parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'

/** Finds scopes of users with a quota, by paths in the served folder. */
export class LimitedScopes {
  readonly #store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly #changed: (scopes: readonly VirtualPath[]) => void
  #users: readonly User[] | undefined
  #scopes: ReadonlySet<VirtualPath> = new Set()

  /** @param changed called with scopes that are limited since the last call, or not any more: some writes were not noted */
  constructor(store: Pick<Store<StoreDocument>, 'snapshot'>, changed: (scopes: readonly VirtualPath[]) => void) {
    this.#store = store
    this.#changed = changed
  }

  /** Those that contain a path. */
  around(path: VirtualPath): VirtualPath[] {
    const all = this.all()
    if (all.size === 0) return []
    const found: VirtualPath[] = []
    for (let folder = path; ; folder = parentOf(folder)) {
      if (all.has(folder)) found.push(folder)
      if (folder === ROOT) return found
    }
  }

  /** Those that lie in a folder. */
  below(folder: VirtualPath): VirtualPath[] {
    return [...this.all()].filter((scope) => scope !== folder && isInside(folder, scope))
  }

  all(): ReadonlySet<VirtualPath> {
    const { users } = this.#store.snapshot()
    if (users !== this.#users) {
      const scopes = new Set(users.filter(hasQuota).map(({ scope }) => cleanVirtualPath(scope)))
      const changed = this.#users === undefined ? [] : [...scopes.symmetricDifference(this.#scopes)]
      this.#scopes = scopes
      this.#users = users
      if (changed.length > 0) this.#changed(changed)
    }
    return this.#scopes
  }
}

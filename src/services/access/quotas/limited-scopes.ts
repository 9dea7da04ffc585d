import { GroupIndex, limitsOf } from '../../../domain/accounts/effective-user.ts'
import { PlaceList, type SeenPlace } from '../../../domain/accounts/place-list.ts'
import { FILES_ROOT, holds, mountOf, type Root, rootOf } from '../../../domain/server/root.ts'
import type { Group } from '../../../domain/accounts/group.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { PathPermission } from '../../../domain/access/rule.ts'
import { hasQuota } from '../../../domain/access/quota.ts'
import { isInside, parentOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'

/** Finds the limited scopes: all places of users with a quota, and roots with one. All paths are in the served folder. */
export class LimitedScopes {
  readonly #store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly #onChange: (scopes: readonly VirtualPath[]) => void
  #users: readonly User[] | undefined
  #groups: readonly Group[] | undefined
  #roots: readonly Root[] = []
  #scopes: ReadonlySet<VirtualPath> = new Set()
  #ofUsers: ReadonlyMap<UserId, readonly VirtualPath[]> = new Map()

  /** @param onChange called with the scopes that have become limited or unlimited: some writes to them were not recorded */
  constructor(store: Pick<Store<StoreDocument>, 'snapshot'>, onChange: (scopes: readonly VirtualPath[]) => void) {
    this.#store = store
    this.#onChange = onChange
  }

  /** The limited scopes that contain a path. */
  containing(path: VirtualPath): VirtualPath[] {
    const all = this.all()
    if (all.size === 0) return []
    const found: VirtualPath[] = []
    const top = mountOf(rootOf(path))
    for (let folder = path; ; folder = parentOf(folder)) {
      if (all.has(folder)) found.push(folder)
      if (folder === top) return found
    }
  }

  /** The limited scopes inside a folder, without the folder itself. */
  inside(folder: VirtualPath): VirtualPath[] {
    return [...this.all()].filter((scope) => scope !== folder && holds(folder, scope))
  }

  /** The folders whose content counts in the quota of a user. Empty without one. */
  ofUser(id: UserId): readonly VirtualPath[] {
    this.all()
    return this.#ofUsers.get(id) ?? []
  }

  all(): ReadonlySet<VirtualPath> {
    const { users, groups, roots } = this.#store.snapshot()
    if (users !== this.#users || groups !== this.#groups || roots !== this.#roots) {
      const ofRoots = roots.filter(({ quota }) => quota > 0).map(({ id }) => mountOf(id))
      const index = new GroupIndex(groups)
      this.#ofUsers = new Map(
        limitedUsers({ users, groups }).map((user) => [user.id, countedFolders(user, index.of(user), roots)]),
      )
      const scopes = new Set([...[...this.#ofUsers.values()].flat(), ...ofRoots])
      const changed =
        this.#users === undefined ? [] : [...scopes.symmetricDifference(this.#scopes), ...this.#moved(scopes, roots)]
      this.#roots = roots
      this.#scopes = scopes
      this.#users = users
      this.#groups = groups
      if (changed.length > 0) this.#onChange(changed)
    }
    return this.#scopes
  }

  /** Scopes in roots that are somewhere else now, with other files. */
  #moved(scopes: ReadonlySet<VirtualPath>, roots: readonly Root[]): VirtualPath[] {
    if (roots === this.#roots) return []
    const before = new Map(this.#roots.map(({ id, location }) => [id, location]))
    const moved = roots.filter(({ id, location }) => before.has(id) && before.get(id) !== location)
    return [...scopes].filter((scope) => moved.some(({ id }) => isInside(mountOf(id), scope)))
  }
}

/** The users who have a quota, of their own or by a group. */
export function limitedUsers({ users, groups }: Readonly<Pick<StoreDocument, 'users' | 'groups'>>): User[] {
  if (!groups.some(hasQuota)) return users.filter(hasQuota)
  const index = new GroupIndex(groups)
  return users.filter((user) => hasQuota(limitsOf(user, index.of(user))))
}

/** The places of a user in which anything can change. One that is in another one counts with it. */
function countedFolders(user: User, groups: readonly Group[], roots: readonly Root[]): VirtualPath[] {
  const fixed = new Set(roots.filter(({ readOnly }) => readOnly).map(({ id }) => id))
  const folders = new PlaceList(user, groups, roots).all
    .filter((place) => place.isOwn || (mayChange(place) && !fixed.has(place.root ?? FILES_ROOT)))
    .map(({ folder }) => folder)
  return folders.filter((folder) => !folders.some((other) => other !== folder && holds(other, folder)))
}

/** Entries without permissions have those of the account. */
function mayChange({ given }: SeenPlace): boolean {
  return given.some(({ place: { permissions } }) => permissions?.some((each) => CHANGING.has(each)) ?? true)
}

const CHANGING: ReadonlySet<PathPermission> = new Set(['create', 'modify', 'rename', 'delete'])

import { PlaceList, type SeenPlace } from '../../../../src/domain/accounts/place-list.ts'
import type { UserView } from '../../../../src/domain/accounts/user.ts'
import type { GroupSummary } from '../../../../src/domain/accounts/group.ts'
import { below, relativeTo, segmentsOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { RootId } from '../../../../src/domain/ids.ts'
import {
  FILES_ROOT,
  holds,
  mountOf,
  rootOf,
  type RootView,
  servedFolderOf,
} from '../../../../src/domain/server/root.ts'

/** The folders of roots as one user sees them. */
export interface SeenFolders {
  /** Whether the user sees anything of a root. */
  sees(root: RootId): boolean
  /** The path at which the user sees a folder of a root; undefined if it is in none of the user's places. */
  pathOf(root: RootId, scope: string): VirtualPath | undefined
  /** The reverse of `pathOf`: the folder in its root; undefined if it is in another root, or in none. */
  scopeOf(root: RootId, path: VirtualPath): VirtualPath | undefined
}

/** @param groups all groups */
export function seenFolders(user: UserView, groups: readonly GroupSummary[], roots: readonly RootView[]): SeenFolders {
  const own = new Set(user.groups?.map(({ id }) => id))
  const given = groups.filter(({ id }) => own.has(id)).map((group) => ({ ...group, members: [] }))
  const list = new PlaceList({ ...user, places: user.places ?? [] }, given, roots)
  const placeOf = (path: VirtualPath): SeenPlace | undefined =>
    list.areSeveral ? list.named(segmentsOf(path)[0] ?? '') : list.all[0]
  return {
    sees: (root) => list.all.some((place) => (place.root ?? FILES_ROOT) === root),
    pathOf(root, scope) {
      const served = servedFolderOf({ root, scope })
      const place = list.all.find(({ folder }) => holds(folder, served))
      return place && below(list.topOf(place), relativeTo(place.folder, served))
    },
    scopeOf(root, path) {
      const place = placeOf(path)
      if (place === undefined) return undefined
      const served = below(place.folder, relativeTo(list.topOf(place), path))
      return rootOf(served) === root ? relativeTo(mountOf(root), served) : undefined
    },
  }
}

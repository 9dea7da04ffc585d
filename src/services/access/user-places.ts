import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import { fail } from '../../domain/errors.ts'
import { below, cleanVirtualPath, ROOT, segmentsOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { UserId } from '../../domain/ids.ts'
import type { UserIndex } from '../stored-users.ts'

/** Where the places of a user are, for those who act for the user or keep records about files there. */
export function createUserPlaces(users: Pick<UserIndex, 'find'>) {
  const stored = (userId: UserId): EffectiveUser => users.find(userId) ?? fail('NOT_FOUND', 'there is no such user')

  /**
   * A folder that a user sees: the given one, or the own folder if it is left out or the user does not see it any more.
   *
   * @throws NOT_FOUND for a user who sees none
   */
  const folderFor = (userId: UserId, folder?: VirtualPath): VirtualPath => {
    const { allPlaces } = stored(userId)
    const given = folder === undefined ? undefined : allPlaces.at(folder)
    return (given ?? allPlaces.all[0])?.folder ?? fail('NOT_FOUND', 'this account has no folder')
  }

  return {
    /** The account as it is now. @throws NOT_FOUND */
    stored,

    folderFor,

    /** The folders that a user sees, among all served files. @throws NOT_FOUND */
    foldersOf: (userId: UserId): VirtualPath[] => stored(userId).allPlaces.all.map(({ folder }) => folder),

    /** The place of a user that a path leads to. @throws FORBIDDEN, NOT_FOUND */
    placeNamed({ allPlaces }: Pick<EffectiveUser, 'allPlaces'>, text: string) {
      const [name] = segmentsOf(cleanVirtualPath(text))
      const place = allPlaces.areSeveral ? allPlaces.named(name ?? '') : (allPlaces.all[0] ?? failNoPlace())
      if (place === undefined) return fail('NOT_FOUND', 'begin the path with the name of a place of this user')
      return {
        folder: place.folder,
        shownTop: allPlaces.topOf(place),
        ...(allPlaces.areSeveral && { name: place.name }),
      }
    },

    /** How the owner of a link or grant names what it is about: the text of its path, with what comes before it. */
    shownTo(userId: UserId, { scope, path }: { readonly scope: VirtualPath; readonly path: string }): string {
      const allPlaces = users.find(userId)?.allPlaces
      if (allPlaces?.areSeveral !== true) return path
      return below(allPlaces.shown(folderFor(userId, scope), ROOT) ?? ROOT, path as VirtualPath)
    },
  }
}

export function failNoPlace(): never {
  return fail('FORBIDDEN', 'no folder is given to this account; ask an administrator', { explained: true })
}

import { listRoots } from '../../../api/server/roots.ts'
import { PATH_PERMISSIONS } from '../../../domain/access/rule.ts'
import { type GivenPlace, NO_ROOT } from '../../../domain/accounts/place.ts'
import type { RootId } from '../../../domain/ids.ts'
import { FILES_ROOT, nameOfRoot, type Root } from '../../../domain/server/root.ts'
import type { Door } from '../../door/door.ts'

export type NamedRoots = readonly Pick<Root, 'id' | 'name'>[]

/** The roots to name for somebody; nobody is asked if there are none beside `files`. */
export async function rootsFor(
  door: Door,
  {
    root = FILES_ROOT,
    places = [],
  }: { readonly root?: RootId | undefined; readonly places?: readonly GivenPlace[] | undefined },
): Promise<NamedRoots> {
  const others = [root, ...places.map((place) => place.root)].some((id) => id !== FILES_ROOT && id !== NO_ROOT)
  return others ? await door.call(listRoots, {}) : []
}

/** Cells of a table: root, folder, name, permissions, number of rules. */
export function placeRows(places: readonly GivenPlace[], roots: NamedRoots): string[][] {
  return places.map((place) => [
    nameOfRoot(roots, place.root),
    place.scope,
    place.name,
    permissionWords(place),
    String(place.rules.length + place.permissionRules.length),
  ])
}

/** One line, such as "Photos:/2024 as Pictures (view, download)". */
export function placeWords(place: GivenPlace, roots: NamedRoots): string {
  const name = place.name === '' ? '' : ` as ${place.name}`
  return `${nameOfRoot(roots, place.root)}:${place.scope}${name} (${permissionWords(place)})`
}

function permissionWords({ permissions }: GivenPlace): string {
  if (permissions === undefined) return 'as the account'
  return permissions.length === PATH_PERMISSIONS.length ? 'all' : ['view', ...permissions].join(', ')
}

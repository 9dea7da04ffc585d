import { below, childOf, relativeTo, ROOT, segmentsOf, type VirtualPath } from '../files/virtual-path.ts'
import type { RootId } from '../ids.ts'
import { isSharedPath } from '../shares/shared-folder.ts'
import { FILES_ROOT, type Root, servedFolderOf } from '../server/root.ts'
import type { Group } from './group.ts'
import { distinctNames, type GivenPlace, NO_ROOT } from './place.ts'
import type { User } from './user.ts'

/** A folder that is given to an account: by itself, or by one of its groups. */
export interface PlaceEntry {
  readonly place: GivenPlace
  readonly group?: Group
}

/** One of the folders that an account sees. */
export interface SeenPlace {
  /** How "/" lists it, if there are several. */
  readonly name: string
  /** Among all served files: its identity. */
  readonly folder: VirtualPath
  /** Absent for `files`. */
  readonly root: RootId | undefined
  readonly scope: string
  /** It is the own folder of the account. */
  readonly isOwn: boolean
  /** What gives it besides. */
  readonly given: readonly PlaceEntry[]
}

/** The folders that one version of an account sees. They are found when they are first asked for. */
export class PlaceList {
  readonly #user: Pick<User, 'root' | 'scope' | 'places'>
  readonly #groups: readonly Group[]
  readonly #roots: readonly Root[]
  #all: readonly SeenPlace[] | undefined
  #byName: ReadonlyMap<string, SeenPlace> | undefined
  #byFolder: ReadonlyMap<VirtualPath, SeenPlace> | undefined

  constructor(user: Pick<User, 'root' | 'scope' | 'places'>, groups: readonly Group[], roots: readonly Root[]) {
    this.#user = user
    this.#groups = groups
    this.#roots = roots
  }

  /** In the order of "/": the own folder, what is given to the account, what its groups give. */
  get all(): readonly SeenPlace[] {
    this.#all ??= this.#find()
    return this.#all
  }

  /** "/" lists them, and all paths begin with the name of one. */
  get areSeveral(): boolean {
    return this.all.length > 1
  }

  named(name: string): SeenPlace | undefined {
    this.#byName ??= new Map(this.all.map((place) => [place.name, place]))
    return this.#byName.get(name)
  }

  /** @param folder among all served files */
  at(folder: VirtualPath): SeenPlace | undefined {
    this.#byFolder ??= new Map(this.all.map((place) => [place.folder, place]))
    return this.#byFolder.get(folder)
  }

  /** Where the paths of a place begin, as the account names them. */
  topOf({ name }: Pick<SeenPlace, 'name'>): VirtualPath {
    return this.areSeveral ? childOf(ROOT, name) : ROOT
  }

  /** How the account names a path in a folder; undefined if it does not see the folder. */
  shown(folder: VirtualPath, path: VirtualPath): VirtualPath | undefined {
    const place = this.at(folder)
    return place && below(this.topOf(place), path)
  }

  /** The path among all served files of a path as the account names it; undefined if that is in no place. */
  served(path: VirtualPath): VirtualPath | undefined {
    const [only] = this.all
    const place = this.areSeveral ? this.named(segmentsOf(path)[0] ?? '') : only
    return place && below(place.folder, relativeTo(this.topOf(place), path))
  }

  /** A path that may be from the time when the account saw only its own folder: it begins with no place then. */
  withPlace(path: VirtualPath): VirtualPath {
    const own = this.all.find(({ isOwn }) => isOwn)
    const [name] = segmentsOf(path)
    if (!this.areSeveral || own === undefined || name === undefined) return path
    return isSharedPath(path) || this.named(name) !== undefined ? path : below(this.topOf(own), path)
  }

  #find(): SeenPlace[] {
    const names = new Map(this.#roots.map(({ id, name }) => [id, name]))
    const own = this.#user.root === NO_ROOT ? [] : [{ folder: servedFolderOf(this.#user), entry: undefined }]
    const given: PlaceEntry[] = [
      ...this.#user.places.map((place) => ({ place })),
      ...this.#groups.flatMap((group) => group.places.map((place) => ({ place, group }))),
    ]
    const found = given.flatMap((entry) =>
      entry.place.root === FILES_ROOT || names.has(entry.place.root)
        ? [{ folder: servedFolderOf(entry.place), entry }]
        : [],
    )
    const places = [...Map.groupBy([...own, ...found], ({ folder }) => folder)].map(([folder, parts]) => {
      const entries = parts.flatMap(({ entry }) => entry ?? [])
      const isOwn = entries.length < parts.length
      const { root, scope } = isOwn ? this.#user : (entries[0]?.place ?? this.#user)
      return { folder, root: root === FILES_ROOT ? undefined : root, scope, isOwn, given: entries }
    })
    const wanted = places.map(({ root, isOwn, given: [first] }) => {
      const ofRoot = root === undefined ? undefined : names.get(root)
      return (isOwn ? (ofRoot ?? OWN_NAME) : first?.place.name || (ofRoot ?? FILES_ROOT)).replace(/^\./, '_')
    })
    const distinct = distinctNames(wanted)
    return places.map((place, at) => ({ ...place, name: distinct[at] ?? '' }))
  }
}

/** Of the own folder in `files`. */
const OWN_NAME = 'Home'

import { type GivenPlace, NO_ROOT } from '../domain/accounts/place.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import type { VirtualPath } from '../domain/files/virtual-path.ts'
import type { RootId } from '../domain/ids.ts'
import { FILES_ROOT, mountOf, type Root, rootOf } from '../domain/server/root.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import type { LinkPolicy } from '../storage/storage.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'

/** Finds roots by their id, in constant time, because each request does so. `files` has no record. */
export class RootIndex {
  readonly #store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly #options: Pick<ServerOptions, 'followExternalSymlinks'>
  /** Of the list that was last seen. The store makes a new list whenever a root changes. */
  #roots: readonly Root[] = []
  #byId = new Map<RootId, Root>()

  constructor(store: Pick<Store<StoreDocument>, 'snapshot'>, options: Pick<ServerOptions, 'followExternalSymlinks'>) {
    this.#store = store
    this.#options = options
  }

  /** The root that an account lives in; undefined for `files`. @throws NOT_FOUND for one that was removed */
  of({ root }: { readonly root?: RootId | undefined }): Root | undefined {
    if (root === undefined) return undefined
    return this.find(root) ?? fail('NOT_FOUND', 'the root of these files was removed; ask an administrator')
  }

  find(id: RootId): Root | undefined {
    const { roots } = this.#store.snapshot()
    if (roots !== this.#roots) {
      this.#roots = roots
      this.#byId = new Map(roots.map((root) => [root.id, root]))
    }
    return this.#byId.get(id)
  }

  /** Where links may lead that are at a path among all served files. */
  linksAt(served: VirtualPath): LinkPolicy {
    const id = rootOf(served)
    const follows = id === FILES_ROOT ? this.#options.followExternalSymlinks : this.find(id)?.followLinks === true
    return follows ? 'follow' : 'inside'
  }

  /** How the activity log names a path among all served files; one in another root as "Photos:/2024". */
  shown(served: VirtualPath): string {
    const id = rootOf(served)
    if (id === FILES_ROOT) return served
    return `${this.find(id)?.name ?? id}:${served.slice(mountOf(id).length) || '/'}`
  }
}

/** For work in the folders of many accounts: the disk of each root that is away is waited for once, and the others go on. */
export class RootsInReach {
  readonly #away = new Set<RootId>()

  /** @returns undefined, also without asking, if the other root that has the folder is away */
  async unlessAway<T>(served: VirtualPath, work: () => Promise<T>): Promise<T | undefined> {
    const id = rootOf(served)
    if (this.#away.has(id)) return undefined
    try {
      return await work()
    } catch (error) {
      if (id === FILES_ROOT || !isFilemgrError(error, 'UNAVAILABLE', 'BUSY')) throw error
      this.#away.add(id)
      return undefined
    }
  }
}

/** @param id of an account, which may have none. @throws INVALID_INPUT for a root that does not exist */
export function requireKnownRoot({ roots }: Pick<StoreDocument, 'roots'>, id: RootId | undefined): void {
  // An empty one is `files`.
  if (id === undefined || id.length === 0 || id === NO_ROOT || isKnown(roots, id)) return
  fail('INVALID_INPUT', `there is no root with the id ${id}`, { field: 'root' })
}

/** @throws INVALID_INPUT for places in a root that does not exist */
export function requireKnownPlaces({ roots }: Pick<StoreDocument, 'roots'>, places: readonly GivenPlace[]): void {
  const lost = places.find(({ root }) => !isKnown(roots, root))
  if (lost !== undefined) fail('INVALID_INPUT', `there is no root with the id ${lost.root}`, { field: 'places' })
}

function isKnown(roots: readonly Root[], id: RootId): boolean {
  return id === FILES_ROOT || roots.some((root) => root.id === id)
}

/** The accounts or groups without the places that are in no known root; those that have none of them are the same objects. */
export function withKnownPlaces<T extends { readonly places: GivenPlace[] }>(
  all: readonly T[],
  roots: readonly Root[],
): T[] {
  return all.map((each) => {
    const places = each.places.filter(({ root }) => isKnown(roots, root))
    return places.length === each.places.length ? each : { ...each, places }
  })
}

import type { UserId } from '../../domain/ids.ts'
import {
  cleanVirtualPath,
  isInside,
  namesFolder,
  relativeTo,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { User } from '../../domain/accounts/user.ts'
import { type EntryIdentity, isSameEntry } from '../../domain/files/entry-identity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { type FileChange, type FileChanges, servedPathsOf } from '../access/file-changes.ts'
import { keepShares } from '../kept-shares.ts'
import type { PlaceList } from '../../domain/accounts/place-list.ts'
import { holds, servedPathIn } from '../../domain/server/root.ts'
import { UserIndex } from '../stored-users.ts'
import { type Bound, servedPathOf, type ShareTargets } from './share-records.ts'

export interface FollowingDeps {
  readonly store: Store<StoreDocument>
  readonly changes: FileChanges
  readonly targets: ShareTargets
  readonly clock: Clock
}

/** Records of the store, each of which is about a file or folder. */
interface Followed<Record extends Bound> {
  allIn(document: Readonly<StoreDocument>): readonly Record[]
  keyOf(record: Record): string
  ownerOf(record: Record): UserId
  /** Leaves only these. */
  keep(draft: StoreDocument, kept: Record[], now: Readonly<StoreDocument>): void
}

/**
 * Keeps links, and what is shared inside, up to date when their files change through us: they move with the files, end when these
 * are deleted, and are bound to the new inode after a write. Compares paths in the served folder, because owners may have
 * different scopes.
 */
export function followFiles(deps: FollowingDeps): void {
  const { clock } = deps
  follow(deps, {
    allIn: ({ shares }) => shares,
    keyOf: ({ hash }) => hash,
    ownerOf: ({ userID }) => userID,
    keep: (draft, kept, now) => keepShares(draft, kept, now, clock.now()),
  })
  follow(deps, {
    allIn: ({ grants }) => grants,
    keyOf: ({ id }) => id,
    ownerOf: ({ owner }) => owner,
    keep: (draft, kept) => (draft.grants = kept),
  })
}

function follow<Record extends Bound>({ store, changes, targets }: FollowingDeps, list: Followed<Record>): void {
  const users = new UserIndex(store)
  const altered = (record: Record, change: FileChange) =>
    recordAfter(record, change, () => users.find(list.ownerOf(record))?.allPlaces)

  changes.subscribe(async (change) => {
    const all = list.allIn(store.snapshot())
    if (!all.some((record) => altered(record, change) !== record)) return
    await store.update((draft, now) => {
      const kept = list.allIn(now).flatMap((record) => altered(record, change) ?? [])
      list.keep(draft, kept, now)
    })
  })

  changes.watch(async (user, paths) => {
    const all = list.allIn(store.snapshot())
    if (all.length === 0) return undefined
    const bound = await boundAmong(all, user, paths)
    if (bound.length === 0) return undefined
    return async () => {
      const found = await currentTargets(bound)
      if (found.size === 0) return
      await store.update((draft, now) => {
        const kept = list.allIn(now).map((record) => {
          const target = found.get(list.keyOf(record))
          return target === undefined ? record : { ...record, target }
        })
        list.keep(draft, kept, now)
      })
    }
  })

  /**
   * Those at these paths or beneath them that still open their target. Only these are bound to the new file: one whose target was
   * replaced outside of filemgr stays invalid until its owner confirms it.
   */
  async function boundAmong(all: readonly Record[], user: User, paths: readonly VirtualPath[]): Promise<string[]> {
    const servedPaths = paths.map((path) => servedPathIn(user, path))
    const written = await targets.linkableAt(user, paths)
    const found: string[] = []
    for (const record of all) {
      const isBeneath = servedPaths.some((servedPath) => isInside(servedPath, servedPathOf(record)))
      // Through a symbolic link, the same file has another path.
      const isLinked = written.some((target) => record.target && isSameEntry(record.target, target))
      const owner = isBeneath || isLinked ? userOf(record) : undefined
      if (owner !== undefined && (await targets.stateOf(record, owner)) === 'bound') found.push(list.keyOf(record))
    }
    return found
  }

  async function currentTargets(keys: readonly string[]): Promise<Map<string, EntryIdentity>> {
    const found = new Map<string, EntryIdentity>()
    for (const record of list.allIn(store.snapshot())) {
      const owner = keys.includes(list.keyOf(record)) ? userOf(record) : undefined
      const target = owner && (await targets.at(owner, record))
      if (target !== undefined && !(record.target && isSameEntry(record.target, target)))
        found.set(list.keyOf(record), target)
    }
    return found
  }

  function userOf(record: Record): User | undefined {
    const owner = list.ownerOf(record)
    return store.snapshot().users.find(({ id }) => id === owner)
  }
}

/**
 * The record after a change: itself if it is not affected, undefined if its file was deleted.
 *
 * @param placesOf its owner
 */
function recordAfter<Record extends Bound>(
  record: Record,
  change: FileChange,
  placesOf: () => PlaceList | undefined,
): Record | undefined {
  if (change.kind === 'written') return record
  const servedPath = servedPathOf(record)
  const [from = ROOT, to] = servedPathsOf(change)
  if (to === undefined) return isInside(from, servedPath) ? undefined : record
  if (!isInside(from, servedPath)) return record
  const moved = cleanVirtualPath(`${to}/${servedPath.slice(from.length)}`)
  const scope = holds(record.scope, moved) ? record.scope : folderWith(placesOf(), moved)
  // A file that was moved out of all that its owner sees is no longer shared.
  if (scope === undefined) return record
  const path = relativeTo(scope, moved)
  return Object.assign({ ...record }, { scope, path: namesFolder(record.path) && path !== ROOT ? `${path}/` : path })
}

/** The innermost folder of these places that has a path in it. */
function folderWith(places: PlaceList | undefined, served: VirtualPath): VirtualPath | undefined {
  const around = (places?.all ?? []).filter(({ folder }) => holds(folder, served))
  return around.toSorted((a, b) => b.folder.length - a.folder.length)[0]?.folder
}

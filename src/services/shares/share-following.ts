import type { ShareHash } from '../../domain/ids.ts'
import type { Share } from '../../domain/shares/share.ts'
import {
  cleanVirtualPath,
  isInside,
  namesFolder,
  parseVirtualPath,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { User } from '../../domain/accounts/user.ts'
import { type EntryIdentity, isSameEntry } from '../../domain/files/entry-identity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { FileChange, FileChanges } from '../access/file-changes.ts'
import { keepShares } from '../kept-shares.ts'
import { servedPathIn } from '../../domain/files/virtual-path.ts'
import { servedPathOf, type ShareTargets } from './share-records.ts'

export interface FollowingDeps {
  readonly store: Store<StoreDocument>
  readonly changes: FileChanges
  readonly targets: ShareTargets
  readonly clock: Clock
}

/**
 * Keeps shares up to date when their files change through us: they move with the files, end when these are deleted, and are bound
 * to the new inode after a write. Compares paths in the served folder, because owners may have different scopes.
 */
export function followFiles({ store, changes, targets, clock }: FollowingDeps): void {
  changes.subscribe(async (change) => {
    const { shares } = store.snapshot()
    if (!shares.some((share) => altered(share, change) !== share)) return
    await store.update((draft, now) => {
      const kept = now.shares.flatMap((share) => altered(share, change) ?? [])
      keepShares(draft, kept, now, clock.now())
    })
  })

  changes.watch(async (user, paths) => {
    const { shares } = store.snapshot()
    if (shares.length === 0) return undefined
    const bound = await boundAmong(shares, user, paths)
    if (bound.length === 0) return undefined
    return async () => {
      const found = await currentTargets(bound)
      if (found.size === 0) return
      await store.update((draft, now) => {
        draft.shares = now.shares.map((share) => {
          const target = found.get(share.hash)
          return target === undefined ? share : { ...share, target }
        })
      })
    }
  })

  /**
   * The shares at these paths or beneath them that still open their target. Only these are bound to the new file: a share whose
   * target was replaced outside of filemgr stays invalid until its owner confirms it.
   */
  async function boundAmong(shares: readonly Share[], user: User, paths: readonly VirtualPath[]): Promise<ShareHash[]> {
    const servedPaths = paths.map((path) => servedPathIn(user.scope, path))
    const written = await targets.linkableAt(user, paths)
    const found: ShareHash[] = []
    for (const share of shares) {
      const isBeneath = servedPaths.some((servedPath) => isInside(servedPath, servedPathOf(share)))
      // Through a symbolic link, the same file has another path.
      const isLinked = written.some((target) => share.target && isSameEntry(share.target, target))
      const owner = isBeneath || isLinked ? ownerOf(share) : undefined
      if (owner !== undefined && (await targets.stateOf(share, owner)) === 'bound') found.push(share.hash)
    }
    return found
  }

  async function currentTargets(hashes: readonly ShareHash[]): Promise<Map<ShareHash, EntryIdentity>> {
    const found = new Map<ShareHash, EntryIdentity>()
    for (const share of store.snapshot().shares) {
      const owner = hashes.includes(share.hash) ? ownerOf(share) : undefined
      const target = owner && (await targets.at(owner, parseVirtualPath(share.path)))
      if (target !== undefined && !(share.target && isSameEntry(share.target, target))) found.set(share.hash, target)
    }
    return found
  }

  function ownerOf({ userID }: Share): User | undefined {
    return store.snapshot().users.find(({ id }) => id === userID)
  }
}

/** The share after a change: itself if it is not affected, undefined if its file was deleted. */
function altered(share: Share, change: FileChange): Share | undefined {
  if (change.kind === 'written') return share
  const servedPath = servedPathOf(share)
  const { scope } = change.user
  if (change.kind === 'removed') return isInside(servedPathIn(scope, change.path), servedPath) ? undefined : share
  const [from, to] = [servedPathIn(scope, change.from), servedPathIn(scope, change.to)]
  if (!isInside(from, servedPath)) return share
  const path = pathFrom(share.scope, cleanVirtualPath(`${to}/${servedPath.slice(from.length)}`))
  // A file that was moved out of the owner's scope is no longer shared.
  if (path === undefined) return share
  return { ...share, path: namesFolder(share.path) && path !== ROOT ? `${path}/` : path }
}

/** A path in the served folder, relative to a scope; undefined outside of it. */
function pathFrom(scope: VirtualPath, servedPath: VirtualPath): VirtualPath | undefined {
  if (scope === ROOT) return servedPath
  return isInside(scope, servedPath) ? parseVirtualPath(servedPath.slice(scope.length)) : undefined
}

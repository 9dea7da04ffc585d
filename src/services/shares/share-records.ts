import { type Accounts, type Actor, reachesPath, type UserActor } from '../../domain/accounts/actor.ts'
import { narrowed } from '../../domain/accounts/api-token.ts'
import { mayHaveSomewhere } from '../../domain/accounts/effective-user.ts'
import { servedFolderOf } from '../../domain/server/root.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { ShareHash, UserId } from '../../domain/ids.ts'
import { ALL_PERMISSIONS, mayDo, neededFor, requireRight } from '../../domain/access/permissions.ts'
import type { PathPermission } from '../../domain/access/rule.ts'
import type { Share, TargetState } from '../../domain/shares/share.ts'
import { below, parseVirtualPath, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Scope } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { User } from '../../domain/accounts/user.ts'
import { type EntryIdentity, isSameEntry } from '../../domain/files/entry-identity.ts'

/** What a record says about the file or folder that it is about. */
export type Bound = Pick<Share, 'path' | 'scope' | 'target'>

/** Where the share with this hash is; -1 if there is none. */
export function positionOf(shares: readonly Share[], hash: string): number {
  // A plain loop: it looks for one link among a hundred thousand.
  for (let at = 0; at < shares.length; at += 1) if (shares[at]?.hash === (hash as ShareHash)) return at
  return -1
}

/** Whether the actor may do this with own files anywhere: by the account, or where a rule permits it. */
export function maySomewhere(
  actor: UserActor,
  right: 'shares.manage' | 'uploads.begin',
  document: Accounts & Pick<StoreDocument, 'settings'>,
): boolean {
  const needed = neededFor(right) as readonly PathPermission[]
  const isWithinToken = actor.token === undefined || mayDo(narrowed(ALL_PERMISSIONS, actor.token), right)
  return isWithinToken && mayHaveSomewhere(document.settings, actor.user(document), needed)
}

/** Whether the actor may see and change all shares. @throws FORBIDDEN for who may share nothing */
export function managesAll(actor: Actor, document: Readonly<StoreDocument>): boolean {
  if (actor.kind === 'operator') return true
  const { perm } = actor.user(document)
  if (!maySomewhere(actor, 'shares.manage', document)) requireRight(perm, 'shares.manage')
  return mayDo(perm, 'shares.manageAll') && mayDo(perm, 'shares.manage')
}

/**
 * The share with this hash, even if it has expired, if the actor may change it. Checked here, because everyone who was given the
 * link knows the hash (CVE-2025-64523).
 *
 * @throws FORBIDDEN, NOT_FOUND, INVALID_INPUT for an empty hash
 */
export function ownShare(document: Readonly<StoreDocument>, actor: Actor, hash: string): Share {
  const { shares } = document
  const all = managesAll(actor, document)
  if (hash === '') fail('INVALID_INPUT', 'name the share by its hash', { terse: true })
  const share = shares[positionOf(shares, hash)]
  if (share === undefined) fail('NOT_FOUND', 'there is no such share')
  if (!all && !isOwnShare(actor, share)) fail('FORBIDDEN', 'this share belongs to another user')
  return share
}

/** Whether the user owns the share and, for an API token, its path is within the limits of the token. */
export function isOwnShare(actor: Actor, { userID, scope, path }: Pick<Share, 'userID' | 'scope' | 'path'>): boolean {
  if (actor.kind !== 'user' || actor.id !== userID) return false
  if (actor.token === undefined || actor.token.path === ROOT) return true
  const parsed = parseVirtualPath(path)
  return reachesPath(actor, actor.user().allPlaces.shown(scope, parsed) ?? parsed)
}

/** The path of a share in the served folder, by which shares of owners with different scopes can be compared. */
export function servedPathOf({ scope, path }: Pick<Bound, 'scope' | 'path'>): VirtualPath {
  return below(scope, parseVirtualPath(path))
}

/** Concurrent disk requests. */
const CONCURRENCY = 16

interface ScopeOpener {
  /** The folder that a user sees, or the own one instead. @throws NOT_FOUND */
  folderFor(userId: UserId, folder: VirtualPath): VirtualPath
  /** Opens such a folder without rules. @throws NOT_FOUND */
  ofScope(userId: UserId, folder: VirtualPath): Promise<Disposable & { readonly scope: Scope }>
}

export function createShareTargets({ access }: { readonly access: ScopeOpener }) {
  /** Identifies what a record is about; undefined if it does not exist or cannot be reached. */
  const at = async (owner: User, { scope, path }: Bound): Promise<EntryIdentity | undefined> =>
    await unlessMissing(async () => {
      if (access.folderFor(owner.id, scope) !== scope) return undefined
      using files = await access.ofScope(owner.id, scope)
      return await files.scope.identify(parseVirtualPath(path))
    })

  /** What is at these paths of a user, and may have other paths too, by symbolic links: nothing in a bucket. */
  const linkableAt = async (owner: User, paths: readonly VirtualPath[]): Promise<EntryIdentity[]> => {
    using files = await unlessMissing(async () => await access.ofScope(owner.id, servedFolderOf(owner)))
    if (files?.scope.localRoot() === undefined) return []
    const identify = async (path: VirtualPath) => await unlessMissing(async () => await files.scope.identify(path))
    return (await Promise.all(paths.map(identify))).filter((target) => target !== undefined)
  }

  /** What is at the paths of shares, in a folder that their owner sees. */
  const targetsOf = async (
    shares: readonly Bound[],
    owner: User,
    folder: VirtualPath,
  ): Promise<Map<string, EntryIdentity | undefined>> => {
    using files = await unlessMissing(async () => await access.ofScope(owner.id, folder))
    const identify = async (path: string) =>
      await unlessMissing(async () => await files?.scope.identify(parseVirtualPath(path)))
    const paths = [...new Set(shares.map(({ path }) => path))]
    const targets = new Map<string, EntryIdentity | undefined>()
    for (let first = 0; first < paths.length; first += CONCURRENCY) {
      const some = paths.slice(first, first + CONCURRENCY)
      const found = await Promise.all(some.map(identify))
      for (const [index, path] of some.entries()) targets.set(path, found[index])
    }
    return targets
  }

  /** The same for many shares; "missing" for those without an owner. Opens each folder and each of its paths once. */
  const statesOf = async <Record extends Bound>(
    shares: readonly Record[],
    ownerOf: (share: Record) => User | undefined,
  ): Promise<TargetState[]> => {
    const found = new Map<VirtualPath, Map<string, EntryIdentity | undefined>>()
    const folders = new Map<Record, VirtualPath>()
    for (const share of shares) {
      const owner = ownerOf(share)
      const folder = owner && (await unlessMissing(async () => access.folderFor(owner.id, share.scope)))
      if (folder !== undefined) folders.set(share, folder)
    }
    for (const [folder, own] of Map.groupBy(shares, (share) => folders.get(share))) {
      const owner = own[0] && ownerOf(own[0])
      if (folder !== undefined && owner !== undefined) found.set(folder, await targetsOf(own, owner, folder))
    }
    return shares.map((share) => {
      const folder = folders.get(share)
      return folder === undefined ? 'missing' : stateWith(found.get(folder)?.get(share.path), share, folder)
    })
  }

  return {
    at,
    linkableAt,
    statesOf,
    /** Whether a share still leads to the file or folder that was shared. */
    stateOf: async (share: Bound, owner: User): Promise<TargetState> =>
      (await statesOf([share], () => owner))[0] ?? 'missing',
  }
}

export type ShareTargets = ReturnType<typeof createShareTargets>

/** @param folder in which it was found */
function stateWith(found: EntryIdentity | undefined, share: Bound, folder: VirtualPath): TargetState {
  if (found === undefined) return 'missing'
  const isBound = share.target !== undefined && isSameEntry(share.target, found)
  return isBound && share.scope === folder ? 'bound' : 'changed'
}

/** Undefined if the target does not exist or cannot be reached. */
async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isFilemgrError(error) && error.code !== 'BUSY' && error.code !== 'CANCELLED') return undefined
    throw error
  }
}

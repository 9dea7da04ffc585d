import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { ShareHash, UserId } from '../../domain/ids.ts'
import {
  PLAIN_TERMS,
  receivesFiles,
  requireShownTexts,
  requireSlug,
  type ShareTermsChange,
} from '../../domain/shares/share-terms.ts'
import { mayDo, requireRight } from '../../domain/access/permissions.ts'
import {
  isExpired,
  isUnseen,
  receivedOf,
  type Share,
  type ShareDetails,
  type ShareView,
  type TargetState,
  shareViewOf,
  termsOf,
} from '../../domain/shares/share.ts'
import { namesFolder, parseVirtualPath, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { User } from '../../domain/accounts/user.ts'
import type { EntryIdentity } from '../../domain/files/entry-identity.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/security/password-hasher.ts'
import type { Random } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { AccessService } from '../access/access.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { Openings } from './openings.ts'
import { keepShares } from '../kept-shares.ts'
import { requireUnreserved } from './reserved-slugs.ts'
import { ShareIndex } from './share-index.ts'
import { isOwnShare, managesAll, maySomewhere, ownShare, servedPathOf, type ShareTargets } from './share-records.ts'
import { servedFolderOf } from '../../domain/server/root.ts'

export interface SharesDeps {
  readonly store: Store<StoreDocument>
  readonly access: AccessService
  readonly targets: ShareTargets
  readonly openings: Openings
  readonly hasher: PasswordHasher
  readonly clock: Clock
  readonly random: Random
}

export interface ShareInput {
  /** Undefined and "" for none. */
  readonly password?: string | undefined
  /** Unix seconds, 0 = permanent. */
  readonly expire: number
  readonly terms?: ShareTermsChange | undefined
  /** The chosen address, instead of a random one. It can be guessed, so only the password protects the share. */
  readonly slug?: string | undefined
}

export interface ShareFilter {
  readonly expired?: boolean
}

export interface ShareEdit {
  /** Undefined keeps the password, "" removes it. */
  readonly password?: string | undefined
  /** Unix seconds, 0 = permanent; undefined keeps the expiry. */
  readonly expire?: number | undefined
  /** Binds the share to the file or folder that is at its path now. */
  readonly rebind?: boolean | undefined
  /** Absent fields stay as they are. */
  readonly terms?: ShareTermsChange | undefined
}

const MAX_PASSWORD_BYTES = 72
const MAX_SHARES = 10_000
/** Milliseconds for which an expired link is kept, so that its owner can extend it. */
export const EXPIRED_RETENTION = 30 * 24 * 60 * 60 * 1000

/** Manages public links: users their own, administrators all. */
export function createShares({ store, access, targets, openings, hasher, clock, random }: SharesDeps) {
  const seconds = () => Math.floor(clock.now() / 1000)
  const index = new ShareIndex()

  const visible = (actor: Actor, expired = false): Share[] => {
    const all = managesAll(actor, store.snapshot())
    const isShown = (share: Share) => all || isOwnShare(actor, share)
    return store
      .snapshot()
      .shares.filter((share) => isShown(share) && (expired || !isExpired(share, clock.now())))
      .toSorted((a, b) => a.userID - b.userID || a.expire - b.expire)
  }

  const passwordHashOf = async (password: string): Promise<string> => {
    if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
      const message = `a share password has at most ${MAX_PASSWORD_BYTES} bytes; choose a shorter one`
      fail('INVALID_INPUT', message, { field: 'password' })
    }
    return await hasher.hash(password)
  }

  /** With the path as its owner names it. */
  const viewOf = (share: Share): ShareView => shareViewOf({ ...share, path: access.shownTo(share.userID, share) })

  const detailsOf = (share: Share, owner: User | undefined, target: TargetState): ShareDetails => {
    const { count, last } = openings.ofShare(share)
    const username = owner?.username ?? ''
    const { files: receivedFiles, bytes: receivedBytes } = receivedOf(share)
    const { created, downloads = 0, arrivals = [] } = share
    const times = arrivals.map(({ file }) => file?.arrived ?? 0)
    return {
      ...viewOf(share),
      username,
      created,
      openings: count,
      lastOpened: last,
      isDir: share.target?.isDir ?? namesFolder(share.path),
      target,
      terms: termsOf(share),
      downloads,
      receivedFiles,
      receivedBytes,
      lastArrived: times.reduce((latest, time) => Math.max(latest, time), 0),
      unseenFiles: times.filter((time) => isUnseen(share, time, owner?.noticesSeen)).length,
    }
  }

  const detailsOfOne = async (share: Share): Promise<ShareDetails> => {
    const owner = ownerOf(store.snapshot(), share)
    return detailsOf(share, owner, owner === undefined ? 'missing' : await targets.stateOf(share, owner))
  }

  /** Identifies the file or folder to share. @throws NOT_FOUND, FORBIDDEN */
  const targetOf = async (files: FileAccess, path: VirtualPath): Promise<EntryIdentity> => {
    files.requireAllowed(path)
    using scope = await files.scope.within(path)
    return await scope.identify(ROOT)
  }

  /** @throws INVALID_INPUT if the link is to receive files but is not for a folder; FORBIDDEN if the owner may not upload */
  const requireReceiver = async (files: FileAccess, path: VirtualPath, terms: ShareTermsChange): Promise<void> => {
    const { allows = 'download' } = terms
    if (!receivesFiles({ allows })) return
    files.require('uploads.begin', path)
    const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
    if (!isDir) fail('INVALID_INPUT', 'only a folder can take files', { field: 'allows' })
  }

  return {
    /**
     * Creates a link to an existing file or folder that the owner may access. A missing path is refused: the attack is to share
     * in advance what appears there later (GHSA-3q2p-72cj-682c).
     *
     * @param owner in whose name the operator acts
     * @throws FORBIDDEN, NOT_FOUND, CONFLICT for an address that is taken, INVALID_INPUT
     */
    async create(actor: Actor, text: string, input: ShareInput, owner?: UserId): Promise<ShareView> {
      using files = await openOwn(access, actor, text, owner)
      const { user, path } = files
      if (!mayDo(files.permissionsAt(path), 'shares.manage'))
        fail('FORBIDDEN', `${user.username} does not have the permission to share`)
      files.require('shares.manage', path)
      const target = await targetOf(files, path)
      const { slug, terms } = input
      if (slug !== undefined) requireSlug(slug)
      requireShownTexts(terms ?? {})
      if (terms !== undefined) await requireReceiver(files, path, terms)
      const passwordHash = input.password ? { passwordHash: await passwordHashOf(input.password) } : {}
      const share: Share = {
        hash: (slug ?? random.token(12)) as ShareHash,
        path: namesFolder(text) && path !== ROOT ? `${path}/` : path,
        userID: user.id,
        expire: input.expire,
        ...passwordHash,
        scope: servedFolderOf(user),
        target,
        created: seconds(),
        openings: 0,
        lastOpened: 0,
        ...(terms === undefined ? {} : { terms: { ...PLAIN_TERMS, ...terms } }),
      }
      await store.update((draft, now) => {
        managesAll(actor, now)
        files.requireStill()
        // The user was deleted meanwhile. Ids are never reused, but the share would stay forever.
        if (ownerOf(now, share) === undefined) fail('NOT_FOUND', 'there is no such user')
        if (index.countOf(now.shares, user.id) >= MAX_SHARES)
          fail('CONFLICT', `a user can have at most ${MAX_SHARES} shares; delete some first`, { reason: 'maximum' })
        if (index.find(now.shares, share.hash) !== undefined)
          fail('CONFLICT', 'another link has this address; choose another one', {
            field: 'slug',
            reason: 'addressTaken',
          })
        requireUnreserved(actor, share.hash, now, clock.now())
        // `concat` is slower, and so is whatever uses its result.
        draft.shares = now.shares.toSpliced(now.shares.length, 0, share)
      })
      return viewOf(share)
    },

    /**
     * Ordered by owner, then by expiry, permanent ones first.
     *
     * @param filter `expired` includes those that can still be extended
     * @throws FORBIDDEN
     */
    list: (actor: Actor, { expired = false }: ShareFilter = {}): ShareView[] => visible(actor, expired).map(viewOf),

    /** The records of the actor's own shares, with those that can still be extended; none without the permission to share. */
    own: (actor: Actor): Share[] =>
      actor.kind === 'user' && maySomewhere(actor, 'shares.manage', store.snapshot())
        ? store.snapshot().shares.filter((share) => isOwnShare(actor, share))
        : [],

    /** The shares of the target of a path, even if their owners have another path for it. */
    ofPath(actor: Actor, text: string): ShareView[] {
      const shares = visible(actor)
      const path = parseVirtualPath(text)
      const servedPath = actor.kind === 'user' ? actor.user().allPlaces.served(path) : path
      return shares.filter((share) => servedPathOf(share) === servedPath).map(viewOf)
    },

    /** Details of these shares, without those that were removed in the meantime. */
    async details(actor: Actor, views: readonly ShareView[]): Promise<ShareDetails[]> {
      const hashes = new Set(views.map(({ hash }) => hash))
      // A map, because searching all users for each share would block the event loop if there are many of both.
      const owners = new Map(store.snapshot().users.map((user) => [user.id, user]))
      const shares = visible(actor, true).filter(({ hash }) => hashes.has(hash))
      const ownerOf = ({ userID }: Share) => owners.get(userID)
      const states = await targets.statesOf(shares, ownerOf)
      return shares.map((share, index) => detailsOf(share, ownerOf(share), states[index] ?? 'missing'))
    },

    /** @throws FORBIDDEN, NOT_FOUND */
    async get(actor: Actor, hash: string): Promise<ShareDetails> {
      return await detailsOfOne(ownShare(store.snapshot(), actor, hash))
    },

    /**
     * Changes all given values, or none. An expired link works again with a later expiry.
     *
     * @throws FORBIDDEN, NOT_FOUND (also if there is nothing to bind it to), INVALID_INPUT
     */
    async update(actor: Actor, hash: string, edit: ShareEdit): Promise<ShareDetails> {
      const before = ownShare(store.snapshot(), actor, hash)
      let bound: Pick<Share, 'scope' | 'target'> | undefined
      if (edit.rebind === true) {
        using files = await access.ofUser(before.userID, access.shownTo(before.userID, before))
        const target = await targetOf(files, files.path)
        bound = { scope: servedFolderOf(files.user), target }
      }
      if (edit.terms !== undefined) {
        requireShownTexts(edit.terms)
        using files = await access.ofUser(before.userID, access.shownTo(before.userID, before))
        await requireReceiver(files, files.path, edit.terms)
      }
      const passwordHash = edit.password ? await passwordHashOf(edit.password) : undefined
      const share = await store.update((draft, now) => {
        const stored = ownShare(now, actor, hash)
        const edited = { ...stored }
        if (edit.expire !== undefined) edited.expire = edit.expire
        if (edit.terms !== undefined) edited.terms = { ...termsOf(stored), ...edit.terms }
        requireGrantable(actor, edited, now)
        if (bound !== undefined && stored.path === before.path) Object.assign(edited, bound)
        if (edit.password !== undefined) {
          delete edited.passwordHash
          // The token was issued for the old password.
          delete edited.tokenHash
          if (passwordHash !== undefined) edited.passwordHash = passwordHash
        }
        draft.shares = now.shares.with(now.shares.indexOf(stored), edited)
        return edited
      })
      return await detailsOfOne(share)
    },

    /** @throws FORBIDDEN, NOT_FOUND */
    async remove(actor: Actor, hash: string): Promise<void> {
      await store.update((draft, now) => {
        const at = now.shares.indexOf(ownShare(now, actor, hash))
        keepShares(draft, now.shares.toSpliced(at, 1), now, clock.now())
      })
    },

    /** Those that do not exist any more are ignored. @throws FORBIDDEN if one belongs to another user: then none is removed */
    async removeMany(actor: Actor, hashes: readonly string[]): Promise<void> {
      const chosen = new Set(hashes)
      await store.update((draft, now) => {
        const all = managesAll(actor, now)
        const kept = now.shares.filter((share) => {
          if (!chosen.has(share.hash)) return true
          if (!all && !isOwnShare(actor, share)) fail('FORBIDDEN', 'one of these shares belongs to another user')
          return false
        })
        if (kept.length < now.shares.length) keepShares(draft, kept, now, clock.now())
      })
    },

    /** All expired shares, which lists leave out. */
    expired: (): ShareView[] =>
      store
        .snapshot()
        .shares.filter((share) => isExpired(share, clock.now()))
        .map(viewOf),

    /** Removes and returns expired shares. @param after milliseconds since they have expired */
    async prune(after = 0): Promise<ShareView[]> {
      const isOld = (share: Share) => isExpired(share, clock.now() - after)
      if (!store.snapshot().shares.some(isOld)) return []
      return await store.update((draft, now) => {
        const gone = new Set(now.shares.filter(isOld))
        const kept = now.shares.filter((share) => !gone.has(share))
        keepShares(draft, kept, now, clock.now())
        return [...gone].map(viewOf)
      })
    },
  }
}

async function openOwn(
  access: SharesDeps['access'],
  actor: Actor,
  text: string,
  owner: UserId | undefined,
): Promise<FileAccess> {
  if (actor.kind === 'operator' && owner !== undefined) return await access.ofUser(owner, text)
  return await access.at(actor, text)
}

/**
 * Who changes anything of a link renews what it allows, and therefore needs the permission for that. An API token may do less
 * than the owner of the link: the attack is to lift the limits, expiry or password of a link that takes files with a token that
 * cannot create any.
 *
 * @throws FORBIDDEN
 */
function requireGrantable(actor: Actor, share: Pick<Share, 'terms'>, at: Readonly<StoreDocument>): void {
  if (actor.kind !== 'user' || !receivesFiles(termsOf(share))) return
  if (!maySomewhere(actor, 'uploads.begin', at)) requireRight(actor.user(at).perm, 'uploads.begin')
}

function ownerOf({ users }: Readonly<StoreDocument>, { userID }: Pick<Share, 'userID'>): User | undefined {
  return users.find(({ id }) => id === userID)
}

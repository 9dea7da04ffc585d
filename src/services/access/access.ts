import type { Actor, Identity, UserActor, Visitor } from '../../domain/accounts/actor.ts'
import { effectiveUser } from '../../domain/accounts/effective-user.ts'
import type { Group } from '../../domain/accounts/group.ts'
import type { SeenPlace } from '../../domain/accounts/place-list.ts'
import type { Supposed } from '../../domain/access/explanation.ts'
import type { Permissions } from '../../domain/access/permissions.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { fail, problemIn } from '../../domain/errors.ts'
import { isSameEntry } from '../../domain/files/entry-identity.ts'
import {
  below,
  isInside,
  nameOf,
  parseVirtualPath,
  relativeTo,
  ROOT,
  segmentsOf,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { GrantId, UserId } from '../../domain/ids.ts'
import { servedFolderOf } from '../../domain/server/root.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { isSharedPath, sharedNameOf } from '../../domain/shares/shared-folder.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Scope, type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { RootIndex } from '../stored-roots.ts'
import { UserIndex } from '../stored-users.ts'
import { type Ends, type FileAccess, isSamePlace, OpenedFiles, OWN, type Place, viewOf } from './file-access.ts'
import { GrantIndex, type Granted } from './grant-index.ts'
import { Judges } from './judges.ts'
import { OpenedPlaces } from './opened-places.ts'
import { PassedChecks, permissionsAt, type Standing } from './passed-checks.ts'
import { failListsPlaces } from './place-in-all.ts'
import { createStandings, failMissingTarget } from './standings.ts'
import { createUserPlaces, failNoPlace } from './user-places.ts'
import { UsersInPlaces } from './users-in-places.ts'

interface AccessFlags {
  /** Accepts an expired session, whose rights the caller must limit. */
  readonly allowExpired?: true
  /** Nothing is read or told about what is there: also for what only takes files. */
  readonly sends?: true
}

export interface AccessDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Storage
  readonly compile: PatternCompiler
  readonly clock: Pick<Clock, 'now'>
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks' | 'disableTypeDetectionByHeader'>
  /** Paths beneath the served folder that no user may reach. */
  readonly hidden?: readonly VirtualPath[]
}

/** One of the folders that an actor sees. */
export interface ActorPlace {
  readonly place: SeenPlace
  /** Where its paths begin for the actor. */
  readonly top: VirtualPath
  /** Undefined if its root was removed. */
  readonly standing: Standing | undefined
  /** @throws UNAVAILABLE, NOT_FOUND */
  open(): Promise<FileAccess>
}

export function createAccess({ store, storage, compile, clock, options, hidden = [] }: AccessDeps) {
  const users = new UserIndex(store)
  const grants = new GrantIndex(store, users, clock)
  const roots = new RootIndex(store, options)
  const judges = new Judges(compile, hidden)
  const refresh = store.refresh && (async () => await store.refresh?.())
  const inPlaces = new UsersInPlaces()
  const { folderFor, foldersOf, placeNamed, shownTo, stored } = createUserPlaces(users)
  const standings = createStandings({ store, inPlaces, grants, roots, judges, compile, options })

  const openScope = async ({ user, judge, granted }: Standing, checks: PassedChecks): Promise<Scope> => {
    const folder = servedFolderOf(user)
    // Links never lead out of what is shared.
    const links = granted === undefined ? roots.linksAt(folder) : 'inside'
    const hasRules = judge.rules.length > 0 || judge.permissionRules.length > 0
    const permits = hasRules ? (path: VirtualPath) => checks.permits(path) : undefined
    return await storage.openScope(storagePathOf(folder), links, permits)
  }

  /** @param shownTop where the paths of the files begin for who names them */
  const openOwn = async (
    now: () => Standing,
    text: string | undefined,
    { shownTop = ROOT, place = OWN, name }: { shownTop?: VirtualPath; place?: Place; name?: string } = {},
  ): Promise<FileAccess> => {
    const first = now()
    const { user } = first
    const checks = new PassedChecks(user, now)
    return new OpenedFiles({
      text: text ?? shownTop,
      user,
      scope: await openScope(first, checks),
      place,
      countsAs: `user ${user.id}`,
      rootName: name ?? 'files',
      pathOf: (shown) => pathBelow(shownTop, shown),
      ...(shownTop !== ROOT && { shown: (path) => below(shownTop, path) }),
      refresh,
      checks,
      options,
    })
  }

  const openPlace = async (actor: UserActor, folder: VirtualPath, text?: string): Promise<FileAccess> => {
    const { allPlaces } = actor.user()
    const seen = allPlaces.at(folder)
    const shownTop = seen === undefined ? ROOT : allPlaces.topOf(seen)
    const name = allPlaces.areSeveral ? seen?.name : undefined
    const place = { folder }
    return await openOwn(() => standings.ofPlace(actor, folder), text, { shownTop, place, ...(name && { name }) })
  }

  /** "/" of an actor with several places. */
  const openAll = async (actor: UserActor, text?: string): Promise<FileAccess> => {
    const { allPlaces } = actor.user()
    const opening = allPlaces.all.map(({ folder, name }) => ({ name, opening: openPlace(actor, folder) }))
    const { token } = actor
    return await OpenedPlaces.open({
      user: actor.user(),
      text: text ?? ROOT,
      within: token?.path ?? ROOT,
      opening,
      refresh,
    })
  }

  const openGrant = async (actor: UserActor, id: GrantId, text?: string, flags?: AccessFlags): Promise<FileAccess> => {
    const { grant } = grants.find(id, actor.id)
    const { path: top, target } = grant
    const shownTop = grants.shownPath(grant, actor.id)
    const now = () => {
      // What has begun with its old paths would go on somewhere else.
      if (grants.find(id, actor.id).grant.path !== top) failMissingTarget()
      return standings.ofGrant(actor, id, flags?.sends)
    }
    const first = now()
    const checks = new PassedChecks(first.user, now)
    using opening = new DisposableStack()
    const scope = opening.use(await openScope(first, checks))
    if (!isSameEntry(target, await scope.identify(top))) failMissingTarget()
    opening.move()
    const pathOf = (shown: string): VirtualPath => {
      const path = parseVirtualPath(shown)
      return isInside(shownTop, path) ? below(top, relativeTo(shownTop, path)) : failElsewhere()
    }
    return new OpenedFiles({
      text: text ?? shownTop,
      user: first.user,
      by: { id: actor.id, username: actor.username },
      scope,
      top,
      pathOf,
      shown: (path) => (isInside(top, path) ? below(shownTop, relativeTo(top, path)) : shownTop),
      place: { grant: id },
      countsAs: `user ${actor.id}`,
      rootName: nameOf(shownTop),
      refresh,
      checks,
      options,
    })
  }

  /** The only place that says where a path of a user leads. @throws NOT_FOUND, FORBIDDEN */
  const placeOf = (actor: Actor, text: string): Place => {
    if (actor.kind === 'operator') return OWN
    if (isSharedPath(text)) {
      const name = sharedNameOf(parseVirtualPath(text))
      if (name === undefined) fail('FORBIDDEN', 'this folder only lists what is shared with you')
      return { grant: grants.named(name, actor.id).grant.id }
    }
    const { allPlaces } = actor.user()
    const [first] = allPlaces.all
    if (first === undefined) failNoPlace()
    if (!allPlaces.areSeveral) return { folder: first.folder }
    const [name] = segmentsOf(parseVirtualPath(text))
    const named = name === undefined ? undefined : allPlaces.named(name)
    return named === undefined ? { all: true } : { folder: named.folder }
  }

  const open = async (actor: Actor, place: Place, text?: string, flags?: AccessFlags): Promise<FileAccess> => {
    if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
    if (actor.isExpired === true && flags?.allowExpired !== true)
      fail('UNAUTHENTICATED', 'the session has ended; sign in again')
    if (place.grant !== undefined) return remembered(actor, await openGrant(actor, place.grant, text, flags))
    if (place.all === true) return remembered(actor, await openAll(actor, text))
    const folder = place.folder ?? servedFolderOf(actor.user())
    return remembered(actor, await openPlace(actor, folder, text))
  }

  /** The shared file or folder as a scope, and how it is called. */
  const openShare = async ({ link, hash, address }: Visitor, now: () => Standing) => {
    const standing = now()
    const { user, root } = standing
    const checks = new PassedChecks(user, now)
    using own = await openScope(standing, checks)
    using opened = new DisposableStack()
    const scope = opened.use(await own.within(root))
    // Identified by the open handle, so another file that takes its name now is not served (CVE-2026-61874).
    const target = await scope.identify(ROOT)
    const { share } = link()
    if (share.target === undefined || !isSameEntry(share.target, target)) failMissingTarget()
    const { isDir } = await scope.stat(ROOT, { ...viewOf(standing, '/', options), sniff: false })
    opened.move()
    // One slow visitor must not lock out the others.
    return { user, scope, checks, isDir, countsAs: `share ${hash} ${address}`, rootName: nameOf(root) || 'files' }
  }

  return {
    /**
     * The files that a path of the actor leads to: those of a user, or what others share with that user; for a visitor, the share
     * and everything in it, by the owner's rules. Its checks become part of what the actor's work must pass until it ends.
     *
     * @throws NOT_FOUND if the folder of the scope, or the shared file, is missing; FORBIDDEN for the operator, and for a visitor
     *         or a recipient if the owner may no longer share this; UNAUTHENTICATED
     */
    async at(actor: Actor | Visitor, text: string, flags?: AccessFlags): Promise<FileAccess> {
      if (actor.kind === 'visitor') {
        const now = () => standings.ofReader(actor)
        const { isDir, ...shared } = await openShare(actor, now)
        // Any path below a shared file resolves to the file itself, never to one beside it (CVE-2025-58753).
        const pathOf = (text: string) => (isDir ? parseVirtualPath(text) : ROOT)
        return remembered(actor, new OpenedFiles({ ...shared, text, place: OWN, pathOf, options, isShare: true }))
      }
      return await open(actor, placeOf(actor, text), text, flags)
    },

    /**
     * Both ends of a copy or move, each of which may be in another place. Only the target may be what just takes files.
     *
     * @throws as `at`
     */
    async ends(actor: Actor, from: string, to: string): Promise<Ends & Disposable> {
      using opening = new DisposableStack()
      const source = opening.use(await open(actor, placeOf(actor, from), from))
      const place = placeOf(actor, to)
      if (place.all === true) failListsPlaces()
      const isOne = isSamePlace(place, source.place)
      const target = isOne ? source : opening.use(await open(actor, place, to, { sends: true }))
      const opened = opening.move()
      return { source, target, [Symbol.dispose]: () => opened.dispose() }
    },

    /** The place of earlier work of the actor, for a job. @throws as `at` */
    again: async (actor: Actor, place: Place, flags?: AccessFlags): Promise<FileAccess> =>
      await open(actor, place, undefined, flags),

    /** The folders that the actor sees, in the order of "/". Leaves out what an API token does not reach. */
    places(actor: Actor): ActorPlace[] {
      if (actor.kind === 'operator') return []
      const { allPlaces } = actor.user()
      return allPlaces.all.flatMap((place): ActorPlace[] => {
        const { folder } = place
        let standing: Standing | undefined
        const problem = problemIn(() => (standing = standings.ofPlace(actor, folder)))
        if (problem?.code === 'FORBIDDEN') return []
        const open = async () => remembered(actor, await openPlace(actor, folder))
        return [{ place, top: allPlaces.topOf(place), standing, open }]
      })
    },

    /** What others share with the actor, in the order in which they have. Leaves out what cannot be reached now. */
    granted(actor: Actor): (Granted & { readonly name: string; readonly permissions: Permissions })[] {
      if (actor.kind === 'operator') return []
      return grants.of(actor.user().id).flatMap((granted) => {
        let standing: Standing | undefined
        const refusal = problemIn(() => (standing = standings.ofGrant(actor, granted.grant.id, true)))
        return refusal === undefined && standing !== undefined
          ? [{ ...granted, permissions: permissionsAt(standing, granted.grant.path) }]
          : []
      })
    },

    /**
     * The owner's files, with the owner's paths, to store what a visitor uploads into the share. The caller decides the paths, and
     * what the visitor learns about them.
     *
     * @throws FORBIDDEN if the link or its owner may not do that; NOT_FOUND if it is not the folder that was shared
     */
    async receiving(visitor: Visitor): Promise<FileAccess> {
      const now = () => standings.ofSender(visitor)
      const first = now()
      const { isDir, scope, countsAs, rootName } = await openShare(visitor, () => standings.ofLink(visitor))
      scope[Symbol.dispose]()
      if (!isDir) fail('FORBIDDEN', 'this link takes no files')
      const names = { user: first.user, countsAs, rootName, place: OWN, pathOf: parseVirtualPath, refresh }
      const checks = new PassedChecks(first.user, now)
      const opened = await openScope(first, checks)
      return remembered(visitor, new OpenedFiles({ ...names, text: '/', scope: opened, checks, options }))
    },

    /**
     * Files as a user sees them, to explain the user's access and for the operator acting for the user.
     *
     * @param text names the place, if the user has several
     * @param supposed changes to try that are not saved
     * @throws NOT_FOUND
     */
    async ofUser(userId: UserId, text = '/', supposed?: Supposed): Promise<FileAccess> {
      if (supposed === undefined) {
        const { folder, ...shown } = placeNamed(stored(userId), text)
        return await openOwn(() => standings.of(inPlaces.in(stored(userId), folder)), text, shown)
      }
      const { globalRules, globalPermissionRules, group: change, ...ofUser } = supposed
      const { settings, users: all, groups, roots: named } = store.snapshot()
      const changed = {
        ...settings,
        rules: globalRules ?? settings.rules,
        permissionRules: globalPermissionRules ?? settings.permissionRules,
      }
      const account = all.find(({ id }) => id === userId) ?? fail('NOT_FOUND', 'there is no such user')
      const own = withChange(users.groupsOf(account, groups), change)
      const user = effectiveUser({ ...account, ...ofUser }, own, named)
      const { folder, ...shown } = placeNamed(user, text)
      const standing = standings.of(inPlaces.in(user, folder), ROOT, undefined, changed)
      return await openOwn(() => standing, text, shown)
    },

    /**
     * Everything in a folder that a user sees, without rules, for the operator. With paths in that folder.
     *
     * @param folder one of the user's places, as for `folderFor`
     */
    async ofScope(userId: UserId, folder?: VirtualPath): Promise<FileAccess> {
      const chosen = folderFor(userId, folder)
      const { allPlaces } = stored(userId)
      const now = () => standings.ofOperator(inPlaces.in(stored(userId), chosen))
      return await openOwn(now, undefined, { shownTop: allPlaces.shown(chosen, ROOT) ?? ROOT })
    },

    folderFor,
    shownTo,
    foldersOf,
  }
}

export type AccessService = ReturnType<typeof createAccess>

function withChange(groups: readonly Group[], change: Supposed['group']): readonly Group[] {
  if (change === undefined) return groups
  const { id, rules, permissionRules, perm } = change
  return groups.map((group) =>
    group.id === id
      ? {
          ...group,
          rules: rules ?? group.rules,
          permissionRules: permissionRules ?? group.permissionRules,
          perm: { ...group.perm, ...perm },
        }
      : group,
  )
}

/** Makes the checks of an access part of what the actor's work must pass. */
function remembered({ passed }: Identity, files: FileAccess): FileAccess {
  passed.add(() => files.requireStill())
  return files
}

/** @param shown a path as the actor names it @throws INVALID_INPUT if it is not in this place */
function pathBelow(shownTop: VirtualPath, shown: string): VirtualPath {
  if (isSharedPath(shown)) failElsewhere()
  const path = parseVirtualPath(shown)
  return isInside(shownTop, path) ? relativeTo(shownTop, path) : failElsewhere()
}

function failElsewhere(): never {
  const text = 'this takes only paths in one place: in your own files, or in one thing that others share with you'
  return fail('INVALID_INPUT', text, { explained: true })
}

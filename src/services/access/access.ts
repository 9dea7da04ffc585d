import type { Actor, Identity, UserActor, Visitor } from '../../domain/accounts/actor.ts'
import { fail, problemIn } from '../../domain/errors.ts'
import type { Supposed } from '../../domain/access/explanation.ts'
import type { GrantId, UserId } from '../../domain/ids.ts'
import { type ApiToken, narrowed } from '../../domain/accounts/api-token.ts'
import { createPathJudge, type PatternCompiler } from '../../domain/access/rule-check.ts'
import {
  ALL_PERMISSIONS,
  mayDo,
  NO_PERMISSIONS,
  type Permissions,
  requireRight,
} from '../../domain/access/permissions.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { Group } from '../../domain/accounts/group.ts'
import { type EffectiveUser, effectiveUser } from '../../domain/accounts/effective-user.ts'
import {
  below,
  cleanVirtualPath,
  isInside,
  nameOf,
  parseVirtualPath,
  relativeTo,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import { type Scope, type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../platform/clock.ts'
import { receivesFiles } from '../../domain/shares/share-terms.ts'
import { termsOf } from '../../domain/shares/share.ts'
import { common, type Grant, permissionsOfGrant } from '../../domain/shares/grant.ts'
import { isSharedPath, sharedNameOf } from '../../domain/shares/shared-folder.ts'
import { isSameEntry } from '../../domain/files/entry-identity.ts'
import { UserIndex } from '../stored-users.ts'
import {
  effectivePermissions,
  type Ends,
  type FileAccess,
  OpenedFiles,
  OWN,
  type Place,
  viewOf,
} from './file-access.ts'
import { GrantIndex, type Granted } from './grant-index.ts'
import { Judges } from './judges.ts'
import { PassedChecks, permissionsAt, type Standing } from './passed-checks.ts'

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

export function createAccess({ store, storage, compile, clock, options, hidden = [] }: AccessDeps) {
  const users = new UserIndex(store)
  const grants = new GrantIndex(store, users, clock)
  const judges = new Judges(compile, hidden)
  const refresh = store.refresh && (async () => await store.refresh?.())

  const standingOf = (
    user: EffectiveUser,
    within: VirtualPath = ROOT,
    token?: ApiToken,
    settings = store.snapshot().settings,
  ): Standing => ({
    user,
    judge: judges.of(settings, user, within),
    permissions: effectivePermissions(user.perm, options.readOnly),
    most: effectivePermissions(mostOf(user, token), options.readOnly),
    within,
    root: ROOT,
  })

  /**
   * What a visitor may reach: the share and everything in it, by the owner's current permissions and rules. Together with
   * `openShare` the only way for visitors to files.
   *
   * @throws FORBIDDEN if the owner may not share this, or no longer; NOT_FOUND if it is not what was shared
   */
  const standingOfLink = (visitor: Visitor): Standing => {
    const { share, owner } = visitor.link()
    const own = standingOf(owner)
    const root = parseVirtualPath(share.path)
    // A share ends when its owner loses the permission to share (CVE-2026-35604).
    requireRight(permissionsAt(own, root), 'shares.manage')
    if (!own.judge.allows(root)) fail('FORBIDDEN', 'a rule denies this path')
    if (cleanVirtualPath(owner.scope) !== share.scope) failMissingTarget()
    return { ...own, given: givenIfShared({ ...NO_PERMISSIONS, download: true }), root }
  }

  const standingOfReader = (visitor: Visitor): Standing => {
    // Refuses every path alike, so that nobody can probe for names.
    if (termsOf(visitor.link().share).allows === 'upload') fail('FORBIDDEN', 'this link only takes files')
    return standingOfLink(visitor)
  }

  /** With the owner's paths. */
  const standingOfSender = (visitor: Visitor): Standing => {
    const { share } = visitor.link()
    if (!receivesFiles(termsOf(share))) fail('FORBIDDEN', 'this link takes no files')
    const own = { ...standingOfLink(visitor), given: undefined, root: ROOT }
    requireRight(permissionsAt(own, parseVirtualPath(share.path)), 'uploads.begin')
    return { ...own, given: givenIfShared({ ...NO_PERMISSIONS, create: true }) }
  }

  /**
   * What a recipient may reach: what is shared and everything in it, with the owner's paths, by the owner's permissions and rules.
   *
   * @throws NOT_FOUND if it is not shared with this user, or is not what was shared; FORBIDDEN if the owner may not share it, or no
   *         longer
   */
  const standingOfGrant = (actor: UserActor, id: GrantId, flags: AccessFlags = {}): Standing => {
    const to = actor.user()
    const { grant, owner } = grants.find(id, to.id)
    const { allows } = grant
    const own = standingOf(owner, withinGrant(actor, grant))
    requireRight(permissionsAt(own, grant.path), 'shares.manage')
    if (cleanVirtualPath(owner.scope) !== grant.scope) failMissingTarget()
    if (allows === 'upload' && flags.sends !== true) fail('FORBIDDEN', 'this only takes files')
    if (!own.judge.allows(own.within)) fail('FORBIDDEN', 'a rule denies this path')
    // What the recipient may do anywhere bounds only a token.
    const most = actor.token === undefined ? ALL_PERMISSIONS : narrowed(to.perm, actor.token)
    const given = (here: Permissions) =>
      mayDo(here, 'shares.manage') ? common(permissionsOfGrant(allows, here), most) : NO_PERMISSIONS
    return { ...own, given, granted: { to, allows } }
  }

  /** The part of a grant that an API token is limited to. @throws FORBIDDEN */
  const withinGrant = ({ token, id }: UserActor, grant: Grant): VirtualPath => {
    if (token === undefined || token.path === ROOT) return grant.path
    const shown = grants.shownPath(grant, id)
    if (isInside(token.path, shown)) return grant.path
    if (!isInside(shown, token.path)) fail('FORBIDDEN', `this API token reaches only ${token.path}`)
    return below(grant.path, relativeTo(shown, token.path))
  }

  const openScope = async ({ user, judge, granted }: Standing, checks: PassedChecks): Promise<Scope> => {
    const folder = storagePathOf(cleanVirtualPath(user.scope))
    // Links never lead out of what is shared.
    const links = options.followExternalSymlinks && granted === undefined ? 'follow' : 'inside'
    const hasRules = judge.rules.length > 0 || judge.permissionRules.length > 0
    const permits = hasRules ? (path: VirtualPath) => checks.permits(path) : undefined
    return await storage.openScope(folder, links, permits)
  }

  const ofUserNow = async (now: () => Standing, text = '/'): Promise<FileAccess> => {
    const first = now()
    const { user } = first
    const names = { countsAs: `user ${user.id}`, rootName: 'files', place: OWN, pathOf: ownPath, refresh }
    const checks = new PassedChecks(user.scope, now)
    return new OpenedFiles({ ...names, text, user, scope: await openScope(first, checks), checks, options })
  }

  const openGrant = async (actor: UserActor, id: GrantId, text?: string, flags?: AccessFlags): Promise<FileAccess> => {
    const { grant } = grants.find(id, actor.id)
    const { path: top, target } = grant
    const shownTop = grants.shownPath(grant, actor.id)
    const now = () => {
      // What has begun with its old paths would go on somewhere else.
      if (grants.find(id, actor.id).grant.path !== top) failMissingTarget()
      return standingOfGrant(actor, id, flags)
    }
    const first = now()
    const checks = new PassedChecks(first.user.scope, now)
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
    if (actor.kind === 'operator' || !isSharedPath(text)) return OWN
    const name = sharedNameOf(parseVirtualPath(text))
    if (name === undefined) fail('FORBIDDEN', 'this folder only lists what is shared with you')
    return { grant: grants.named(name, actor.id).grant.id }
  }

  const open = async (actor: Actor, place: Place, text?: string, flags?: AccessFlags): Promise<FileAccess> => {
    if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
    if (actor.isExpired === true && flags?.allowExpired !== true)
      fail('UNAUTHENTICATED', 'the session has ended; sign in again')
    const files =
      place.grant === undefined
        ? await ofUserNow(() => standingOf(actor.user(), actor.token?.path, actor.token), text)
        : await openGrant(actor, place.grant, text, flags)
    return remembered(actor, files)
  }

  /** The shared file or folder as a scope, and how it is called. */
  const openShare = async ({ link, hash, address }: Visitor, now: () => Standing) => {
    const standing = now()
    const { user, root } = standing
    const checks = new PassedChecks(user.scope, now)
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

  const stored = (userId: UserId): EffectiveUser => users.find(userId) ?? fail('NOT_FOUND', 'there is no such user')

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
        const now = () => standingOfReader(actor)
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
      const isOne = place.grant === source.place.grant
      const target = isOne ? source : opening.use(await open(actor, place, to, { sends: true }))
      const opened = opening.move()
      return { source, target, [Symbol.dispose]: () => opened.dispose() }
    },

    /** The place of earlier work of the actor, for a job. @throws as `at` */
    again: async (actor: Actor, place: Place, flags?: AccessFlags): Promise<FileAccess> =>
      await open(actor, place, undefined, flags),

    /** What others share with the actor, in the order in which they have. Leaves out what cannot be reached now. */
    granted(actor: Actor): (Granted & { readonly name: string; readonly permissions: Permissions })[] {
      if (actor.kind === 'operator') return []
      return grants.of(actor.user().id).flatMap((granted) => {
        let standing: Standing | undefined
        const refusal = problemIn(() => (standing = standingOfGrant(actor, granted.grant.id, { sends: true })))
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
      const now = () => standingOfSender(visitor)
      const first = now()
      const { isDir, scope, countsAs, rootName } = await openShare(visitor, () => standingOfLink(visitor))
      scope[Symbol.dispose]()
      if (!isDir) fail('FORBIDDEN', 'this link takes no files')
      const names = { user: first.user, countsAs, rootName, place: OWN, pathOf: parseVirtualPath, refresh }
      const checks = new PassedChecks(first.user.scope, now)
      const opened = await openScope(first, checks)
      return remembered(visitor, new OpenedFiles({ ...names, text: '/', scope: opened, checks, options }))
    },

    /**
     * Files as a user sees them, to explain the user's access and for the operator acting for the user.
     *
     * @param supposed changes to try that are not saved
     * @throws NOT_FOUND
     */
    async ofUser(userId: UserId, text = '/', supposed?: Supposed): Promise<FileAccess> {
      if (supposed === undefined) return await ofUserNow(() => standingOf(stored(userId)), text)
      const { globalRules, globalPermissionRules, group: change, ...ofUser } = supposed
      const { settings, users: all, groups } = store.snapshot()
      const changed = {
        ...settings,
        rules: globalRules ?? settings.rules,
        permissionRules: globalPermissionRules ?? settings.permissionRules,
      }
      const account = all.find(({ id }) => id === userId) ?? fail('NOT_FOUND', 'there is no such user')
      const own = withChange(users.groupsOf(account, groups), change)
      const standing = standingOf(effectiveUser({ ...account, ...ofUser }, own), ROOT, undefined, changed)
      return await ofUserNow(() => standing, text)
    },

    /** Everything in a user's scope, without rules, for the operator. */
    async ofScope(userId: UserId): Promise<FileAccess> {
      const lists = { global: [], group: [], user: [], 'built-in': [] }
      const judge = createPathJudge({ lists, hideDotfiles: false }, compile)
      const permissions = effectivePermissions(ALL_PERMISSIONS, options.readOnly)
      const user = () => ({ ...stored(userId), hideDotfiles: false })
      return await ofUserNow(() => ({ user: user(), judge, permissions, most: permissions, within: ROOT, root: ROOT }))
    },
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

/** What rules can give an account at most: nothing that it is denied, and nothing that a token does not have. */
function mostOf({ denied }: EffectiveUser, token: ApiToken | undefined): Permissions {
  const most = token === undefined ? ALL_PERMISSIONS : narrowed(ALL_PERMISSIONS, token)
  return { ...most, ...Object.fromEntries(denied.map((permission) => [permission, false])) }
}

/** Where the owner may share: a rule may forbid it for a part of what is shared. */
function givenIfShared(given: Permissions) {
  return (owner: Permissions): Permissions => (mayDo(owner, 'shares.manage') ? common(given, owner) : NO_PERMISSIONS)
}

/** Makes the checks of an access part of what the actor's work must pass. */
function remembered({ passed }: Identity, files: FileAccess): FileAccess {
  passed.add(() => files.requireStill())
  return files
}

function ownPath(text: string): VirtualPath {
  return isSharedPath(text) ? failElsewhere() : parseVirtualPath(text)
}

function failElsewhere(): never {
  const text = 'this takes only paths in one place: in your own files, or in one thing that others share with you'
  return fail('INVALID_INPUT', text, { explained: true })
}

function failMissingTarget(): never {
  return fail('NOT_FOUND', 'what was shared is not there any more')
}

import type { Actor, Identity, Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { Supposed } from '../../domain/access/explanation.ts'
import type { UserId } from '../../domain/ids.ts'
import { createPathJudge, type PatternCompiler } from '../../domain/access/rule-check.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS, requireRight } from '../../domain/access/permissions.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { Group } from '../../domain/accounts/group.ts'
import { type EffectiveUser, effectiveUser } from '../../domain/accounts/effective-user.ts'
import { cleanVirtualPath, nameOf, parseVirtualPath, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { type Scope, type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { receivesFiles } from '../../domain/shares/share-terms.ts'
import { termsOf } from '../../domain/shares/share.ts'
import { isSameEntry } from '../../domain/files/entry-identity.ts'
import { UserIndex } from '../stored-users.ts'
import { effectivePermissions, type FileAccess, OpenedFiles, OWN, type Place, viewOf } from './file-access.ts'
import { Judges } from './judges.ts'
import type { Standing } from './passed-checks.ts'

export interface AccessDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Storage
  readonly compile: PatternCompiler
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks' | 'disableTypeDetectionByHeader'>
  /** Paths beneath the served folder that no user may reach. */
  readonly hidden?: readonly VirtualPath[]
}

export function createAccess({ store, storage, compile, options, hidden = [] }: AccessDeps) {
  const users = new UserIndex(store)
  const judges = new Judges(compile, hidden)
  const refresh = store.refresh && (async () => await store.refresh?.())

  const standingOf = (
    user: EffectiveUser,
    within: VirtualPath = ROOT,
    settings = store.snapshot().settings,
  ): Standing => ({
    user,
    judge: judges.of(settings, user, within),
    permissions: effectivePermissions(user.perm, options.readOnly),
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
    // A share ends when its owner loses the permission to share (CVE-2026-35604).
    requireRight(owner.perm, 'shares.manage')
    const own = standingOf(owner)
    const root = parseVirtualPath(share.path)
    if (!own.judge.allows(root)) fail('FORBIDDEN', 'a rule denies this path')
    if (cleanVirtualPath(owner.scope) !== share.scope) failMissingTarget()
    return { ...own, permissions: { ...NO_PERMISSIONS, download: true }, root }
  }

  const standingOfReader = (visitor: Visitor): Standing => {
    // Refuses every path alike, so that nobody can probe for names.
    if (termsOf(visitor.link().share).allows === 'upload') fail('FORBIDDEN', 'this link only takes files')
    return standingOfLink(visitor)
  }

  /** With the owner's paths. */
  const standingOfSender = (visitor: Visitor): Standing => {
    const { share, owner } = visitor.link()
    if (!receivesFiles(termsOf(share))) fail('FORBIDDEN', 'this link takes no files')
    const { root: _, ...shared } = standingOfLink(visitor)
    requireRight(effectivePermissions(owner.perm, options.readOnly), 'uploads.begin')
    return { ...shared, permissions: { ...NO_PERMISSIONS, create: true }, root: ROOT }
  }

  const openScope = async ({ user, judge }: Standing, now: () => Standing): Promise<Scope> => {
    const folder = storagePathOf(cleanVirtualPath(user.scope))
    const links = options.followExternalSymlinks ? 'follow' : 'inside'
    const permits = judge.rules.length === 0 ? undefined : (path: VirtualPath) => now().judge.permits(path)
    return await storage.openScope(folder, links, permits)
  }

  const ofUserNow = async (now: () => Standing, text = '/'): Promise<FileAccess> => {
    const first = now()
    const { user } = first
    const names = { countsAs: `user ${user.id}`, rootName: 'files', place: OWN, pathOf: parseVirtualPath, refresh }
    return new OpenedFiles({ ...names, text, user, scope: await openScope(first, now), now, options })
  }

  /** The shared file or folder as a scope, and how it is called. */
  const openShare = async ({ link, hash, address }: Visitor, now: () => Standing) => {
    const standing = now()
    const { user, root } = standing
    using own = await openScope(standing, now)
    using opened = new DisposableStack()
    const scope = opened.use(await own.within(root))
    // Identified by the open handle, so another file that takes its name now is not served (CVE-2026-61874).
    const target = await scope.identify(ROOT)
    const { share } = link()
    if (share.target === undefined || !isSameEntry(share.target, target)) failMissingTarget()
    const { isDir } = await scope.stat(ROOT, { ...viewOf(standing, '/', options), sniff: false })
    opened.move()
    // One slow visitor must not lock out the others.
    return { user, scope, isDir, countsAs: `share ${hash} ${address}`, rootName: nameOf(root) || 'files' }
  }

  const stored = (userId: UserId): EffectiveUser => users.find(userId) ?? fail('NOT_FOUND', 'there is no such user')

  return {
    /**
     * The files of a user; for a visitor, the share and everything in it, by the owner's rules. Its checks become part of what the
     * actor's work must pass until it ends.
     *
     * @param flags `allowExpired` accepts an expired session, whose rights the caller must limit
     * @throws NOT_FOUND if the folder of the scope, or the shared file, is missing; FORBIDDEN for the operator, and for a visitor
     *         if the owner may no longer share this; UNAUTHENTICATED
     */
    async at(actor: Actor | Visitor, text: string, flags?: { readonly allowExpired: true }): Promise<FileAccess> {
      if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
      if (actor.kind === 'visitor') {
        const now = () => standingOfReader(actor)
        const { isDir, ...shared } = await openShare(actor, now)
        // Any path below a shared file resolves to the file itself, never to one beside it (CVE-2025-58753).
        const pathOf = (text: string) => (isDir ? parseVirtualPath(text) : ROOT)
        return remembered(actor, new OpenedFiles({ ...shared, text, place: OWN, pathOf, now, options, isShare: true }))
      }
      if (actor.isExpired === true && flags?.allowExpired !== true)
        fail('UNAUTHENTICATED', 'the session has ended; sign in again')
      return remembered(actor, await ofUserNow(() => standingOf(actor.user(), actor.token?.path), text))
    },

    /** The place of earlier work of the actor, for a job. @throws as `at` */
    async again(actor: Actor, _place: Place): Promise<FileAccess> {
      return await this.at(actor, '/')
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
      return remembered(
        visitor,
        new OpenedFiles({ ...names, text: '/', scope: await openScope(first, now), now, options }),
      )
    },

    /**
     * Files as a user sees them, to explain the user's access and for the operator acting for the user.
     *
     * @param supposed changes to try that are not saved
     * @throws NOT_FOUND
     */
    async ofUser(userId: UserId, text = '/', supposed?: Supposed): Promise<FileAccess> {
      if (supposed === undefined) return await ofUserNow(() => standingOf(stored(userId)), text)
      const { globalRules, group: change, ...ofUser } = supposed
      const { settings, users: all, groups } = store.snapshot()
      const changed = globalRules === undefined ? settings : { ...settings, rules: globalRules }
      const account = all.find(({ id }) => id === userId) ?? fail('NOT_FOUND', 'there is no such user')
      const own = withChange(users.groupsOf(account, groups), change)
      const standing = standingOf(effectiveUser({ ...account, ...ofUser }, own), ROOT, changed)
      return await ofUserNow(() => standing, text)
    },

    /** Everything in a user's scope, without rules, for the operator. */
    async ofScope(userId: UserId): Promise<FileAccess> {
      const lists = { global: [], group: [], user: [], 'built-in': [] }
      const judge = createPathJudge({ lists, hideDotfiles: false }, compile)
      const permissions = effectivePermissions(ALL_PERMISSIONS, options.readOnly)
      const user = () => ({ ...stored(userId), hideDotfiles: false })
      return await ofUserNow(() => ({ user: user(), judge, permissions, within: ROOT, root: ROOT }))
    },
  }
}

export type AccessService = ReturnType<typeof createAccess>

function withChange(groups: readonly Group[], change: Supposed['group']): readonly Group[] {
  if (change === undefined) return groups
  const { id, rules, perm } = change
  return groups.map((group) =>
    group.id === id ? { ...group, rules: rules ?? group.rules, perm: { ...group.perm, ...perm } } : group,
  )
}

/** Makes the checks of an access part of what the actor's work must pass. */
function remembered({ passed }: Identity, files: FileAccess): FileAccess {
  passed.add(() => files.requireStill())
  return files
}

function failMissingTarget(): never {
  return fail('NOT_FOUND', 'what was shared is not there any more')
}

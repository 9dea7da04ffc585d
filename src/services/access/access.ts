import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Supposed } from '../../domain/access/explanation.ts'
import type { UserId } from '../../domain/ids.ts'
import { createPathJudge, type PathJudge, type PatternCompiler } from '../../domain/access/rule-check.ts'
import {
  ALL_PERMISSIONS,
  NO_PERMISSIONS,
  type Permission,
  type Permissions,
  requireRight,
  type Right,
} from '../../domain/access/permissions.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { User } from '../../domain/accounts/user.ts'
import {
  below,
  cleanVirtualPath,
  isInside,
  nameOf,
  parseVirtualPath,
  ROOT,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import { type ListingView, type Scope, type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { receivesFiles } from '../../domain/access/share-terms.ts'
import { isSameTarget, termsOf } from '../../domain/access/share.ts'
import type { Rule } from '../../domain/access/rule.ts'

/** Files as one user may see and change them, during one request. */
export interface FileAccess extends Disposable {
  readonly user: User
  /** Evaluates rules for paths, and explains the result. */
  readonly judge: PathJudge
  /** The user's permissions; on a read-only server, without those to change files. */
  readonly permissions: Permissions
  readonly scope: Scope
  /** The key for limits on concurrent work: visitors must not use up the owner's share of it. */
  readonly countsAs: string
  /** Stands for the root where a name is needed, such as in an archive. */
  readonly rootName: string
  /** Parses a path from a request, percent-decoded once. @throws INVALID_INPUT */
  pathOf(text: string): VirtualPath
  /** @param shownPath the requested path of the folder, including a slash at its end */
  view(shownPath: string): ListingView
  /** Checks rules and hidden dotfiles. */
  allows(path: VirtualPath): boolean
  /** Checks only rules, because hidden dotfiles are copied and moved with their folder. */
  permits(path: VirtualPath): boolean
  readonly hasRules: boolean
  /** @throws FORBIDDEN, even for a missing path, so that the reply does not reveal whether it exists */
  requireAllowed(path: VirtualPath): void
  /** @throws FORBIDDEN, NOT_PERMITTED_HERE */
  require(right: Right): void
}

export interface AccessService {
  /**
   * The files of a user; for a visitor, the share and everything in it, by the owner's rules.
   *
   * @param flags `allowExpired` accepts an expired session, whose rights the caller must limit
   * @throws NOT_FOUND if the folder of the scope, or the shared file, is missing; FORBIDDEN for the operator, and for a visitor
   *         if the owner may no longer share this; UNAUTHENTICATED
   */
  for(actor: Actor | Visitor, flags?: { readonly allowExpired: true }): Promise<FileAccess>
  /**
   * Files as a user sees them, to explain the user's access and for the operator acting for the user.
   *
   * @param supposed changes to try that are not saved
   * @throws NOT_FOUND
   */
  ofUser(userId: UserId, supposed?: Supposed): Promise<FileAccess>
  /**
   * The owner's files, with the owner's paths, to store what a visitor uploads into the share. The caller decides the paths, and
   * what the visitor learns about them.
   *
   * @throws FORBIDDEN if the link or its owner may not do that; NOT_FOUND if it is not the folder that was shared
   */
  receiving(visitor: Visitor): Promise<FileAccess>
  /** Everything in a user's scope, without rules, for the operator. */
  ofScope(userId: UserId): Promise<FileAccess>
}

export interface AccessDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'openScope'>
  readonly compile: PatternCompiler
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks' | 'disableTypeDetectionByHeader'>
  /** Paths beneath the served folder that no user may reach. */
  readonly hidden?: readonly VirtualPath[]
}

export function createAccess({ store, storage, compile, options, hidden = [] }: AccessDeps): AccessService {
  /** Compiled rules, for each version of the settings and of the user. */
  const judges = new WeakMap<Readonly<Settings>, WeakMap<User, PathJudge>>()

  /** @param within the path of an API token. Each token has a user object of its own, so cached judges do not mix paths */
  const judgeOf = (settings: Readonly<Settings>, user: User, within?: VirtualPath): PathJudge => {
    const ofSettings = judges.get(settings) ?? new WeakMap<User, PathJudge>()
    judges.set(settings, ofSettings)
    const known = ofSettings.get(user)
    if (known !== undefined) return known
    const builtIn = rulesAgainst(hidden, cleanVirtualPath(user.scope))
    const lists = { global: settings.rules, user: user.rules, 'built-in': builtIn }
    const judge = createPathJudge({ lists, hideDotfiles: user.hideDotfiles, within }, usable(compile))
    ofSettings.set(user, judge)
    return judge
  }

  const open = async (user: User, judge: PathJudge, hideDotfiles: boolean, permissions: Permissions, within = ROOT) => {
    const folder = storagePathOf(cleanVirtualPath(user.scope))
    const permits = judge.rules.length === 0 ? undefined : judge.permits
    const scope = await storage.openScope(folder, options.followExternalSymlinks ? 'follow' : 'inside', permits)
    const access: FileAccess = {
      user,
      permissions,
      scope,
      countsAs: `user ${user.id}`,
      rootName: 'files',
      pathOf: parseVirtualPath,
      judge,
      allows: (path) => judge.allows(path),
      permits: (path) => judge.permits(path),
      hasRules: judge.rules.length > 0,
      view: (shownPath) => ({
        rules: judge.rules,
        rulePrefix: ROOT,
        hideDotfiles,
        sorting: user.sorting,
        shownPath,
        sniff: !options.disableTypeDetectionByHeader,
        canModify: permissions.modify,
      }),
      requireAllowed(path) {
        if (!isInside(within, path)) fail('FORBIDDEN', `this API token reaches only ${within}`)
        if (!judge.allows(path)) fail('FORBIDDEN', 'a rule denies this path')
      },
      require: (right) => requireRight(permissions, right),
      [Symbol.dispose]: () => scope[Symbol.dispose](),
    }
    return access
  }

  const asUser = async (user: User, settings = store.snapshot().settings, within?: VirtualPath) => {
    const judge = judgeOf(settings, user, within)
    return await open(user, judge, user.hideDotfiles, effectivePermissions(user.perm, options.readOnly), within)
  }

  const stored = (userId: UserId): User =>
    store.snapshot().users.find(({ id }) => id === userId) ?? fail('NOT_FOUND', 'there is no such user')

  return {
    async for(actor, flags) {
      if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
      if (actor.kind === 'visitor') {
        // Refuses every path alike, so that nobody can probe for names.
        if (termsOf(actor.share).allows === 'upload') fail('FORBIDDEN', 'this link only takes files')
        return await shareAccess(actor, async () => await asUser(actor.owner))
      }
      if (actor.isExpired === true && flags?.allowExpired !== true)
        fail('UNAUTHENTICATED', 'the session has ended; sign in again')
      return await asUser(actor.user, store.snapshot().settings, actor.token?.path)
    },

    async receiving(visitor) {
      if (!receivesFiles(termsOf(visitor.share))) fail('FORBIDDEN', 'this link takes no files')
      using shared = await shareAccess(visitor, async () => await asUser(visitor.owner))
      const { isDir } = await shared.scope.stat(ROOT, { ...shared.view('/'), sniff: false })
      if (!isDir) fail('FORBIDDEN', 'this link takes no files')
      requireRight(effectivePermissions(visitor.owner.perm, options.readOnly), 'uploads.begin')
      const permissions = { ...NO_PERMISSIONS, create: true }
      const { countsAs } = shared
      return {
        ...(await asUser(visitor.owner)),
        ...{ permissions, countsAs, require: (right) => requireRight(permissions, right) },
      }
    },

    async ofUser(userId, supposed) {
      if (supposed === undefined) return await asUser(stored(userId))
      const { globalRules, ...ofUser } = supposed
      const { settings } = store.snapshot()
      const changed = globalRules === undefined ? settings : { ...settings, rules: globalRules }
      return await asUser({ ...stored(userId), ...ofUser }, changed)
    },

    async ofScope(userId) {
      const lists = { global: [], user: [], 'built-in': [] }
      const judge = createPathJudge({ lists, hideDotfiles: false }, compile)
      return await open(stored(userId), judge, false, effectivePermissions(ALL_PERMISSIONS, options.readOnly))
    },
  }
}

/** Saved rules are valid, so a broken one was edited by hand. Until it is corrected, nothing is served. */
function usable(compile: PatternCompiler): PatternCompiler {
  return (pattern, ignoreCase) => {
    try {
      return compile(pattern, ignoreCase)
    } catch (error) {
      if (isFilemgrError(error)) throw error
      return fail('STORE_INVALID', `the expression ${pattern} of a rule cannot be used; correct or remove the rule`)
    }
  }
}

/**
 * What a visitor may read: the share and everything in it, by the owner's current permissions and rules. This function is the
 * only way for visitors to files.
 *
 * @param openOwner opens the owner's access
 * @throws FORBIDDEN if the owner may not share this, or no longer; NOT_FOUND if it is not the file that was shared
 */
async function shareAccess(
  { share, owner, address }: Visitor,
  openOwner: () => Promise<FileAccess>,
): Promise<FileAccess> {
  // A share ends when its owner loses the permission to share (CVE-2026-35604).
  requireRight(owner.perm, 'shares.manage')
  using own = await openOwner()
  const root = parseVirtualPath(share.path)
  own.requireAllowed(root)
  if (cleanVirtualPath(owner.scope) !== share.scope) failMissingTarget()
  using opened = new DisposableStack()
  const scope = opened.use(await own.scope.within(root))
  // Identified by the open handle, so another file that takes its name now is not served (CVE-2026-61874).
  const target = await scope.identify(ROOT)
  if (share.target === undefined || !isSameTarget(share.target, target)) failMissingTarget()
  const isFile = !(await scope.stat(ROOT, { ...own.view('/'), sniff: false })).isDir
  const rootName = nameOf(root) || own.rootName
  const permissions = { ...NO_PERMISSIONS, download: true }
  const moved = opened.move()
  return {
    user: owner,
    permissions,
    scope,
    // One slow visitor must not lock out the others.
    countsAs: `share ${share.hash} ${address}`,
    rootName,
    // Any path below a shared file resolves to the file itself, never to one beside it (CVE-2025-58753).
    pathOf: (text) => (isFile ? ROOT : parseVirtualPath(text)),
    // Rules are written for the owner's paths (CVE-2026-54091).
    judge: {
      rules: own.judge.rules,
      allows: (path) => own.allows(below(root, path)),
      permits: (path) => own.permits(below(root, path)),
      explain: (path) => own.judge.explain(below(root, path)),
    },
    allows: (path) => own.allows(below(root, path)),
    permits: (path) => own.permits(below(root, path)),
    hasRules: own.hasRules,
    view: (shownPath) => ({
      ...own.view(shownPath),
      rulePrefix: root,
      sorting: { by: 'name', asc: false },
      shownName: rootName,
    }),
    requireAllowed: (path) => own.requireAllowed(below(root, path)),
    require: (right) => requireRight(permissions, right),
    [Symbol.dispose]: () => moved.dispose(),
  }
}

function failMissingTarget(): never {
  return fail('NOT_FOUND', 'what was shared is not there any more')
}

const CHANGING: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'execute']

/** The permissions without those to change files, if the server is read-only. */
export function effectivePermissions(permissions: Permissions, readOnly: boolean): Permissions {
  if (!readOnly) return permissions
  return { ...permissions, ...Object.fromEntries(CHANGING.map((permission) => [permission, false])) }
}

/**
 * Rules that hide protected paths, relative to a scope. They come last, so that no other rule can override them.
 *
 * @param hidden paths beneath the served folder
 */
function rulesAgainst(hidden: readonly VirtualPath[], scope: VirtualPath): Rule[] {
  return hidden.flatMap((path) => {
    if (isInside(path, scope)) return [denial(ROOT)]
    return isInside(scope, path) ? [denial(scope === ROOT ? path : path.slice(scope.length))] : []
  })
}

function denial(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

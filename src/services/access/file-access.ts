import type { PathJudge } from '../../domain/access/rule-check.ts'
import { isSame, type Permission, type Permissions, type Right } from '../../domain/access/permissions.ts'
import type { PathPermission } from '../../domain/access/rule.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import { below, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ListingView, Scope } from '../../storage/storage.ts'
import type { Root } from '../../domain/server/root.ts'
import type { GrantId } from '../../domain/ids.ts'
import type { FlatResource } from '../../domain/files/resource.ts'
import type { GrantKind } from '../../domain/shares/grant.ts'
import { type PassedChecks, permissionsAt, permissionsElsewhere, type Standing } from './passed-checks.ts'

/** Whose files a path leads to, as an identity that outlives names: nothing for the own folder. */
export interface Place {
  /** What somebody shares with the actor. */
  readonly grant?: GrantId | undefined
  /** The folder of one of the actor's places, among all served files. */
  readonly folder?: VirtualPath | undefined
  /** "/" of an actor with several places, which lists them. */
  readonly all?: true | undefined
}

export const OWN: Place = {}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.grant === other.grant && one.folder === other.folder && one.all === other.all
}

export type ViewOptions = Pick<ServerOptions, 'readOnly' | 'disableTypeDetectionByHeader'>

/**
 * Files as one user or visitor may see and change them. Everything but the open folder is asked of the present store at each call,
 * because the account, its rules, or the link may change while a request runs.
 */
export interface FileAccess extends Disposable {
  /** Whose files they are, as of the opening. */
  readonly user: EffectiveUser
  /** Evaluates rules for paths, and explains the result. */
  readonly judge: PathJudge
  /** What may be done at a path, by the account and by rules; on a read-only server, without what changes files. */
  permissionsAt(path: VirtualPath): Permissions
  /** Whether rules say what may be done at some paths. */
  readonly hasPermissionRules: boolean
  readonly scope: Scope
  /** The key for limits on concurrent work: visitors must not use up the owner's share of it. */
  readonly countsAs: string
  /** Stands for the root where a name is needed, such as in an archive. */
  readonly rootName: string
  /** To open the same place again. */
  readonly place: Place
  /** Who does it: another user than the owner of the files, if they are shared with that one. */
  readonly by: Pick<EffectiveUser, 'id' | 'username'>
  /** What a grant gives, by which the files are reached. */
  readonly given: GrantKind | undefined
  /** The topmost path, which cannot be moved or removed: "/", or what is shared. */
  readonly top: VirtualPath
  /** The path that was asked for, in the scope. @throws INVALID_INPUT */
  readonly path: VirtualPath
  /** Another path of the request, percent-decoded once. @throws INVALID_INPUT, also if it leads to another place */
  pathOf(text: string): VirtualPath
  /** The reverse of `pathOf`. */
  shown(path: VirtualPath): VirtualPath
  /** @param shownPath the requested path of the folder, including a slash at its end */
  view(shownPath: string): ListingView
  /** Of what can be read: an archive passes over the rest. */
  readableView(): ListingView
  /** Checks rules and hidden dotfiles. */
  allows(path: VirtualPath): boolean
  /** Checks only rules, because hidden dotfiles are copied and moved with their folder. */
  permits(path: VirtualPath): boolean
  readonly hasRules: boolean
  /** Names of the places in it that cannot be reached now. Only in "/" of a user with several. */
  readonly away?: readonly string[]
  /** The root that has the files; undefined for `files`. */
  readonly rootRecord: Root | undefined
  /** @throws FORBIDDEN, even for a missing path, so that the reply does not reveal whether it exists */
  requireAllowed(path: VirtualPath): void
  /** @throws FORBIDDEN, NOT_PERMITTED_HERE if it is not permitted at the path */
  require(right: Right, path: VirtualPath): void
  /** Call it before work on a folder with its content: the work ends once other rules apply to any of it. */
  keepRulesOf(folder: VirtualPath): void
  /**
   * Only if other machines change the store too: makes it at most a second old. Call it before an effect that comes long after
   * the beginning.
   *
   * @throws STORE_BUSY while the database is away
   */
  readonly refresh?: (() => Promise<void>) | undefined
  /** Adds a check, which has passed, to those that `requireStill` repeats. */
  keep(check: () => void): void
  /** Like `keep`, for a check of what may be done at paths: it is repeated only if that may have changed. */
  keepRights(check: () => void): void
  /**
   * Repeats all checks that this access has passed. Call it right before an effect, with nothing to wait for in between. Works
   * after this is disposed of, too.
   *
   * @throws as they did; FORBIDDEN if the user has another scope now
   */
  requireStill(): void
}

/** Where something is copied or moved from, and where to: the same files twice if both paths lead to one place. */
export interface Ends {
  readonly source: FileAccess
  readonly target: FileAccess
}

/** A path in opened files. */
export interface PathIn {
  readonly files: FileAccess
  readonly path: VirtualPath
}

type Opened = Pick<FileAccess, 'user' | 'scope' | 'countsAs' | 'rootName' | 'place' | 'pathOf' | 'refresh'> & {
  readonly by?: FileAccess['by']
  readonly top?: VirtualPath
  readonly shown?: FileAccess['shown']
  /** The path that was asked for, as the request has it. */
  readonly text: string
  readonly checks: PassedChecks
  readonly options: ViewOptions
  /** Names and sorting are those of the share. */
  readonly isShare?: true
}

/** A class, because one is made for each request: an object with accessors of its own takes a dozen times as long to make. */
export class OpenedFiles implements FileAccess {
  readonly user: EffectiveUser
  readonly scope: Scope
  readonly countsAs: string
  readonly rootName: string
  readonly place: Place
  readonly by: FileAccess['by']
  readonly top: VirtualPath
  readonly refresh: FileAccess['refresh']
  /** Handed on by itself, to be called at the effect. */
  readonly requireStill = (): void => this.#checks.repeat()
  readonly #opened: Opened
  readonly #checks: PassedChecks

  constructor(opened: Opened) {
    const { user, scope, countsAs, rootName, place, by = user, top = ROOT, refresh, checks } = opened
    this.user = user
    this.scope = scope
    this.countsAs = countsAs
    this.rootName = rootName
    this.place = place
    this.by = by
    this.top = top
    this.refresh = refresh
    this.#opened = opened
    this.#checks = checks
  }

  get judge(): PathJudge {
    return judgeAt(this.#checks.now())
  }

  permissionsAt(path: VirtualPath): Permissions {
    return permissionsAt(this.#checks.now(), path)
  }

  get hasRules(): boolean {
    const { rules, permissionRules } = this.#checks.now().judge
    return rules.length > 0 || permissionRules.length > 0
  }

  get hasPermissionRules(): boolean {
    return this.#checks.now().judge.permissionRules.length > 0
  }

  get rootRecord(): Root | undefined {
    return this.#checks.now().rootRecord
  }

  get path(): VirtualPath {
    return this.pathOf(this.#opened.text)
  }

  pathOf(text: string): VirtualPath {
    return this.#opened.pathOf(text)
  }

  shown(path: VirtualPath): VirtualPath {
    return this.#opened.shown?.(path) ?? path
  }

  get given(): GrantKind | undefined {
    return this.#checks.now().granted?.allows
  }

  allows(path: VirtualPath): boolean {
    return this.judge.allows(path)
  }

  permits(path: VirtualPath): boolean {
    return this.judge.permits(path)
  }

  view(shownPath: string): ListingView {
    const { options, isShare } = this.#opened
    const standing = this.#checks.now()
    const view = viewOf(standing, shownPath, options, this.hasPermissionRules ? this.path : ROOT)
    if (isShare === true) return { ...view, sorting: { by: 'name', asc: false }, shownName: this.rootName }
    // A place has a name that its folder may not have.
    return this.place.folder !== undefined && this.shown(ROOT) !== ROOT && this.path === ROOT
      ? { ...view, shownName: this.rootName }
      : view
  }

  readableView(): ListingView {
    const view = this.view('/')
    const standing = this.#checks.now()
    const { permissionRules } = standing.judge
    if (permissionRules.length === 0) return view
    const needed: readonly PathPermission[] = standing.given === undefined ? ['download'] : ['share', 'download']
    const lacking = needed.map((permission) => [permission, standing.permissions[permission]] as const)
    return { ...view, rules: [...view.rules, { allow: false, lacking, permissionRules }] }
  }

  requireAllowed(path: VirtualPath): void {
    this.#checks.requireAllowed(path)
  }

  require(right: Right, path: VirtualPath): void {
    this.#checks.require(right, path)
  }

  keepRulesOf(folder: VirtualPath): void {
    this.#checks.keepRulesOf(folder)
  }

  keep(check: () => void): void {
    this.#checks.add(check)
  }

  keepRights(check: () => void): void {
    this.#checks.addOfRights(check)
  }

  [Symbol.dispose](): void {
    this.scope[Symbol.dispose]()
  }
}

/** The judge for paths of the caller. Rules are written for the owner's paths (CVE-2026-54091). */
function judgeAt({ judge, root }: Standing): PathJudge {
  if (root === ROOT) return judge
  return {
    rules: judge.rules,
    allows: (path) => judge.allows(below(root, path)),
    permits: (path) => judge.permits(below(root, path)),
    explain: (path) => judge.explain(below(root, path)),
    permissionRules: judge.permissionRules,
    permissionsBy: (path) => judge.permissionsBy(below(root, path)),
    permissionRuleFor: (path, permission) => judge.permissionRuleFor(below(root, path), permission),
  }
}

/** Entries with paths as the actor names them. */
export function shownIn(
  files: Pick<FileAccess, 'top' | 'shown'>,
  entries: readonly FlatResource[],
): readonly FlatResource[] {
  if (files.top === ROOT && files.shown(ROOT) === ROOT) return entries
  return entries.map((entry) => ({ ...entry, path: files.shown(entry.path as VirtualPath) }))
}

export function viewOf(
  standing: Standing,
  shownPath: string,
  { disableTypeDetectionByHeader }: ViewOptions,
  path = ROOT,
): ListingView {
  const { user, judge, root, granted, given } = standing
  const { hideDotfiles } = user
  // For a public link, as the owner sees it.
  const shown = granted === undefined ? { ...standing, given: undefined } : standing
  const here = permissionsAt(shown, path)
  const { download, create, modify, rename, delete: remove, share } = here
  const usual = granted === undefined ? permissionsElsewhere(shown) : permissionsAt(standing, standing.within)
  const isOther = (given === undefined || granted !== undefined) && !isSame(here, usual)
  return {
    rules: judge.rules,
    rulePrefix: root,
    hideDotfiles: hideDotfiles || granted?.to.hideDotfiles === true,
    sorting: (granted?.to ?? user).sorting,
    shownPath,
    sniff: !disableTypeDetectionByHeader,
    canModify: modify,
    ...(isOther && { permissions: { download, create, modify, rename, delete: remove, share } }),
  }
}

const CHANGING: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'execute']

/** The permissions without those to change files, if the server is read-only. */
export function effectivePermissions(permissions: Permissions, readOnly: boolean): Permissions {
  if (!readOnly) return permissions
  return { ...permissions, ...Object.fromEntries(CHANGING.map((permission) => [permission, false])) }
}

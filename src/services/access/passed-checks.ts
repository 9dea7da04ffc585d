import { fail } from '../../domain/errors.ts'
import {
  isSame,
  mayDo,
  type Permissions,
  permissionsWith,
  requireRight,
  type Right,
} from '../../domain/access/permissions.ts'
import { type PathJudge, rulesAbout } from '../../domain/access/rule-check.ts'
import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import type { User } from '../../domain/accounts/user.ts'
import { type Root, type RootFolder, servedFolderOf } from '../../domain/server/root.ts'
import type { GrantKind } from '../../domain/shares/grant.ts'
import { below, isInside, type VirtualPath } from '../../domain/files/virtual-path.ts'

/** What the store says about someone's files at one moment. */
export interface Standing {
  /** Whose files they are. */
  readonly user: EffectiveUser
  readonly judge: PathJudge
  /** Of the owner, where no rule says anything about them. On a read-only server, without those to change files. */
  readonly permissions: Permissions
  /** What no rule can exceed: on a read-only server, by a token, for a user who is denied something. */
  readonly most: Permissions
  /** What a link or a grant gives of what the owner may do at a path. */
  readonly given?: ((owner: Permissions) => Permissions) | undefined
  /** The path that an API token, or a grant, is limited to. */
  readonly within: VirtualPath
  /** The path that an API token is limited to, as it names it. */
  readonly reaches?: VirtualPath | undefined
  /** Who reaches these files by a grant, and what that gives. */
  readonly granted?: { readonly to: User; readonly allows: GrantKind } | undefined
  /** Where the paths of the caller begin, in the scope of the user: "/" except inside a share. */
  readonly root: VirtualPath
  /** The root that has the files; undefined for `files`. */
  readonly rootRecord: Root | undefined
}

/**
 * The only function that says what may be done at a path.
 *
 * @param path of the caller
 */
export function permissionsAt(standing: Standing, path: VirtualPath): Permissions {
  const { judge, root } = standing
  return judge.permissionRules.length === 0
    ? permissionsElsewhere(standing)
    : permissionsOn(standing, below(root, path))
}

/** Where no rule says anything. */
export function permissionsElsewhere({ permissions, given }: Standing): Permissions {
  return given === undefined ? permissions : given(permissions)
}

/** @param path as rules see it */
function permissionsOn({ judge, permissions, most, given }: Standing, path: VirtualPath): Permissions {
  const own = permissionsWith(permissions, most, judge.permissionsBy(path))
  return given === undefined ? own : given(own)
}

/** The checks that one access to files has passed, to be repeated for as long as its work runs. */
export class PassedChecks {
  /** By the present store. @throws if the actor may no longer do anything with these files */
  readonly now: () => Standing
  readonly #folder: RootFolder
  readonly #rights = new Map<Right, Set<VirtualPath>>()
  readonly #paths = new Set<VirtualPath>()
  readonly #others = new Set<() => void>()
  /** Checks of rights, and what they were last asked with. */
  readonly #ofRights = new Set<() => void>()
  #judge: PathJudge | undefined
  #elsewhere: Permissions | undefined
  /** The rules about each folder that is worked on with its content, and the judge that was last found to have the same. */
  readonly #folders = new Map<
    VirtualPath,
    { readonly rules: string; readonly otherwise: Permissions; judge: PathJudge }
  >()

  /** @param folder of the user whose files were opened */
  constructor(folder: RootFolder, now: () => Standing) {
    this.now = now
    this.#folder = folder
  }

  require(right: Right, path: VirtualPath): void {
    requireRight(permissionsAt(this.now(), path), right)
    const paths = this.#rights.get(right)
    if (paths === undefined) this.#rights.set(right, new Set([path]))
    else paths.add(path)
  }

  /**
   * Rules for the path that the storage has found, which is another if links led there: what is done must be allowed there as well.
   *
   * @param real as rules see it
   */
  permits(real: VirtualPath): boolean {
    const standing = this.now()
    const { judge, root } = standing
    if (!judge.permits(real)) return false
    if (judge.permissionRules.length === 0) return true
    // Asked for by its own name, with what it needs.
    if ([...this.#paths].some((path) => below(root, path) === real)) return true
    const required = [...this.#rights].flatMap(([right, paths]) =>
      [...paths].map((path) => ({ right, path: below(root, path) })),
    )
    if (required.some(({ path }) => path === real)) return true
    const around = required.filter(({ path }) => isInside(path, real))
    const here = permissionsOn(standing, real)
    return (around.length > 0 ? around : required).every(({ right }) => mayDo(here, right))
  }

  requireAllowed(path: VirtualPath): void {
    requirePath(this.now(), path)
    this.#paths.add(path)
  }

  /** For work on a folder with its content, which is checked entry by entry: it ends if the rules about any of them change. */
  keepRulesOf(folder: VirtualPath): void {
    if (this.#folders.has(folder)) return
    const standing = this.now()
    const { judge, root } = standing
    const otherwise = permissionsElsewhere(standing)
    this.#folders.set(folder, { rules: rulesAbout(judge, below(root, folder)), otherwise, judge })
  }

  /** Adds a check that has passed elsewhere. */
  add(check: () => void): void {
    this.#others.add(check)
  }

  /** Adds a check of rights that has passed. It is repeated once rules or permissions have changed. */
  addOfRights(check: () => void): void {
    this.#ofRights.add(check)
  }

  /** @throws what the first check throws that fails now */
  repeat(): void {
    const standing = this.now()
    // The same path in another scope is another file.
    const { user } = standing
    if (user !== this.#folder && servedFolderOf(user) !== servedFolderOf(this.#folder))
      fail('FORBIDDEN', 'the folder of this account has changed meanwhile; try again')
    for (const check of this.#others) check()
    this.#requireRights(standing)
    for (const path of this.#paths) requirePath(standing, path)
    const { judge, root } = standing
    const otherwise = permissionsElsewhere(standing)
    for (const [folder, kept] of this.#folders) {
      // Its entries may have what the account has, or what a rule says.
      const isOther = judge.permissionRules.length > 0 && !isSame(otherwise, kept.otherwise)
      if (kept.judge === judge && !isOther) continue
      if (isOther || rulesAbout(judge, below(root, folder)) !== kept.rules)
        fail('FORBIDDEN', 'the rules for this folder have changed meanwhile; try again')
      kept.judge = judge
    }
  }

  #requireRights(standing: Standing): void {
    const { judge, given } = standing
    const elsewhere = permissionsElsewhere(standing)
    // There may be thousands, and this is asked before each effect.
    const isUnchanged = given === undefined && judge === this.#judge && isSame(elsewhere, this.#elsewhere ?? elsewhere)
    if (isUnchanged) return
    for (const [right, paths] of this.#rights) {
      if (judge.permissionRules.length === 0) requireRight(elsewhere, right)
      else for (const path of paths) requireRight(permissionsAt(standing, path), right)
    }
    for (const check of this.#ofRights) check()
    this.#judge = judge
    this.#elsewhere = elsewhere
  }
}

function requirePath({ judge, within, reaches, granted, root }: Standing, path: VirtualPath): void {
  if (!isInside(within, path))
    // Without a path of the owner.
    fail('FORBIDDEN', granted === undefined ? `this API token reaches only ${reaches}` : 'this is not shared with you')
  if (!judge.allows(below(root, path))) fail('FORBIDDEN', 'a rule denies this path')
}

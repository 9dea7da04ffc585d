import { fail } from '../../domain/errors.ts'
import { type Permissions, requireRight, type Right } from '../../domain/access/permissions.ts'
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
  /** On a read-only server, without those to change files. */
  readonly permissions: Permissions
  /** The path that an API token, or a grant, is limited to. */
  readonly within: VirtualPath
  /** Who reaches these files by a grant, and what that gives. */
  readonly granted?: { readonly to: User; readonly allows: GrantKind } | undefined
  /** Where the paths of the caller begin, in the scope of the user: "/" except inside a share. */
  readonly root: VirtualPath
  /** The root that has the files; undefined for `files`. */
  readonly rootRecord: Root | undefined
}

/** The checks that one access to files has passed, to be repeated for as long as its work runs. */
export class PassedChecks {
  /** By the present store. @throws if the actor may no longer do anything with these files */
  readonly now: () => Standing
  readonly #folder: RootFolder
  readonly #rights = new Set<Right>()
  readonly #paths = new Set<VirtualPath>()
  readonly #others = new Set<() => void>()
  /** The rules about each folder that is worked on with its content, and the judge that was last found to have the same. */
  readonly #folders = new Map<VirtualPath, { readonly rules: string; judge: PathJudge }>()

  /** @param folder of the user whose files were opened */
  constructor(folder: RootFolder, now: () => Standing) {
    this.now = now
    this.#folder = folder
  }

  require(right: Right): void {
    requireRight(this.now().permissions, right)
    this.#rights.add(right)
  }

  requireAllowed(path: VirtualPath): void {
    requirePath(this.now(), path)
    this.#paths.add(path)
  }

  /** For work on a folder with its content, which is checked entry by entry: it ends if the rules about any of them change. */
  keepRulesOf(folder: VirtualPath): void {
    const { judge, root } = this.now()
    if (!this.#folders.has(folder))
      this.#folders.set(folder, { rules: rulesAbout(judge.rules, below(root, folder)), judge })
  }

  /** Adds a check that has passed elsewhere. */
  add(check: () => void): void {
    this.#others.add(check)
  }

  /** @throws what the first check throws that fails now */
  repeat(): void {
    const standing = this.now()
    // The same path in another scope is another file.
    const { user } = standing
    if (user !== this.#folder && servedFolderOf(user) !== servedFolderOf(this.#folder))
      fail('FORBIDDEN', 'the folder of this account has changed meanwhile; try again')
    for (const check of this.#others) check()
    for (const right of this.#rights) requireRight(standing.permissions, right)
    for (const path of this.#paths) requirePath(standing, path)
    const { judge, root } = standing
    for (const [folder, kept] of this.#folders) {
      if (kept.judge === judge) continue
      if (rulesAbout(judge.rules, below(root, folder)) !== kept.rules)
        fail('FORBIDDEN', 'the rules for this folder have changed meanwhile; try again')
      kept.judge = judge
    }
  }
}

function requirePath({ judge, within, granted, root }: Standing, path: VirtualPath): void {
  if (!isInside(within, path))
    // Without a path of the owner.
    fail('FORBIDDEN', granted === undefined ? `this API token reaches only ${within}` : 'this is not shared with you')
  if (!judge.allows(below(root, path))) fail('FORBIDDEN', 'a rule denies this path')
}

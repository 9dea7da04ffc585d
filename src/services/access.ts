import type { Actor } from '../domain/actor.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { ALL_PERMISSIONS, type Permissions } from '../domain/permissions.ts'
import { requireRight, type Right } from '../domain/rights.ts'
import type { Rule } from '../domain/rule.ts'
import { compileRules, type PatternCompiler, type RuleCheck } from '../domain/rule-check.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import type { Settings } from '../domain/settings.ts'
import type { User } from '../domain/user.ts'
import { cleanVirtualPath, nameOf, ROOT, type VirtualPath } from '../domain/virtual-path.ts'
import { storagePathOf, type ListingView, type Scope, type Storage } from '../storage/storage.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import { effectivePermissions } from './effective-permissions.ts'
import { rulesAgainst } from './hidden-folder.ts'

/** Files as one user may see and change them, during one request. */
export interface FileAccess extends AsyncDisposable {
  readonly user: User
  /** Those of the user, without the ones that a read-only server takes away. */
  readonly permissions: Permissions
  readonly scope: Scope
  /** @param shownPath path of the folder as asked for, a slash at its end included */
  view(shownPath: string): ListingView
  /** What rules and hidden dotfiles say. */
  allows(path: VirtualPath): boolean
  /** What rules alone say: hidden dotfiles travel along with the folder that holds them. */
  permits(path: VirtualPath): boolean
  readonly hasRules: boolean
  /** @throws FORBIDDEN, also for a path where nothing is: whether something is there is not told */
  requireAllowed(path: VirtualPath): void
  /** @throws FORBIDDEN, NOT_PERMITTED_HERE */
  require(right: Right): void
}

export interface AccessService {
  /** @throws NOT_FOUND when the folder of the scope is missing; FORBIDDEN for an actor without files */
  for(actor: Actor): Promise<FileAccess>
  /** Everything in the scope of a user, without rules: for the operator, who may do all. */
  ofScope(userId: UserId): Promise<FileAccess>
}

export interface AccessDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'openScope'>
  readonly compile: PatternCompiler
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks' | 'disableTypeDetectionByHeader'>
  /** A folder beneath the served one that is nobody's. */
  readonly hidden?: VirtualPath | undefined
  /** The file system of the served folder does not tell "A" from "a". */
  readonly foldCase?: boolean
}

interface Ruling {
  readonly rules: readonly Rule[]
  readonly check: RuleCheck
}

export function createAccess({
  store,
  storage,
  compile,
  options,
  hidden,
  foldCase = false,
}: AccessDeps): AccessService {
  /** Compiled once for a state of the settings and a state of the user. */
  const rulings = new WeakMap<Readonly<Settings>, WeakMap<User, Ruling>>()

  const rulingOf = (settings: Readonly<Settings>, user: User): Ruling => {
    const ofSettings = rulings.get(settings) ?? new WeakMap<User, Ruling>()
    rulings.set(settings, ofSettings)
    const known = ofSettings.get(user)
    if (known !== undefined) return known
    const rules = [...settings.rules, ...user.rules, ...rulesAgainst(hidden, cleanVirtualPath(user.scope))]
    const ruling = { rules, check: compileRules(rules, usable(compile), foldCase) }
    ofSettings.set(user, ruling)
    return ruling
  }

  const open = async (user: User, { rules, check }: Ruling, hideDotfiles: boolean, permissions: Permissions) => {
    const allows = (path: VirtualPath) => check(path) && !(hideDotfiles && nameOf(path).startsWith('.'))
    const folder = storagePathOf(cleanVirtualPath(user.scope))
    const scope = await storage.openScope(folder, options.followExternalSymlinks ? 'follow' : 'inside')
    const access: FileAccess = {
      user,
      permissions,
      scope,
      allows,
      permits: check,
      hasRules: rules.length > 0,
      view: (shownPath) => ({
        rules,
        rulePrefix: ROOT,
        hideDotfiles,
        sorting: user.sorting,
        shownPath,
        sniff: !options.disableTypeDetectionByHeader,
        canModify: permissions.modify,
      }),
      requireAllowed(path) {
        if (!allows(path)) fail('FORBIDDEN', 'a rule denies this path')
      },
      require: (right) => requireRight(permissions, right),
      [Symbol.asyncDispose]: async () => await scope[Symbol.asyncDispose](),
    }
    return access
  }

  return {
    async for(actor) {
      if (actor.kind !== 'user') fail('FORBIDDEN', 'files belong to users')
      const { user } = actor
      const ruling = rulingOf(store.snapshot().settings, user)
      return await open(user, ruling, user.hideDotfiles, effectivePermissions(user.perm, options.readOnly))
    },

    async ofScope(userId) {
      const user = store.snapshot().users.find(({ id }) => id === userId)
      if (user === undefined) fail('NOT_FOUND', 'there is no such user')
      const permissions = effectivePermissions(ALL_PERMISSIONS, options.readOnly)
      return await open(user, { rules: [], check: () => true }, false, permissions)
    },
  }
}

/** Rules are checked when they are saved, so a broken one was put into the file by hand: nothing is served until it is mended. */
function usable(compile: PatternCompiler): PatternCompiler {
  return (pattern) => {
    try {
      return compile(pattern)
    } catch (error) {
      if (isFilemgrError(error)) throw error
      return fail('STORE_INVALID', `the expression ${pattern} of a rule cannot be used; correct or remove the rule`)
    }
  }
}

import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Rule } from '../../domain/access/rule.ts'
import { createPathJudge, type PathJudge, type PatternCompiler } from '../../domain/access/rule-check.ts'
import { type EffectiveUser, permissionListsOf, rulesOfGroups } from '../../domain/accounts/effective-user.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { cleanVirtualPath, isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'

/** Compiled rules, for each version of the settings and of the user. */
export class Judges {
  readonly #compile: PatternCompiler
  readonly #hidden: readonly VirtualPath[]
  readonly #known = new WeakMap<Readonly<Settings>, WeakMap<EffectiveUser, Map<VirtualPath, PathJudge>>>()

  /** @param hidden paths beneath the served folder that no user may reach */
  constructor(compile: PatternCompiler, hidden: readonly VirtualPath[]) {
    this.#compile = usable(compile)
    this.#hidden = hidden
  }

  /** @param within the path that an API token, or a grant, is limited to */
  of(settings: Readonly<Settings>, user: EffectiveUser, within: VirtualPath = ROOT): PathJudge {
    const ofSettings = this.#known.get(settings) ?? new WeakMap<EffectiveUser, Map<VirtualPath, PathJudge>>()
    this.#known.set(settings, ofSettings)
    const ofUser = ofSettings.get(user) ?? new Map<VirtualPath, PathJudge>()
    ofSettings.set(user, ofUser)
    const known = ofUser.get(within)
    if (known !== undefined) return known
    const builtIn = rulesAgainst(this.#hidden, cleanVirtualPath(user.scope))
    const lists = { global: settings.rules, group: rulesOfGroups(user.groups), user: user.rules, 'built-in': builtIn }
    const permissionLists = permissionListsOf(settings, user)
    const judge = createPathJudge({ lists, permissionLists, hideDotfiles: user.hideDotfiles, within }, this.#compile)
    ofUser.set(within, judge)
    return judge
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

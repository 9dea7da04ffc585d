import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Rule } from '../../domain/access/rule.ts'
import { createPathJudge, type PathJudge, type PatternCompiler } from '../../domain/access/rule-check.ts'
import {
  type EffectiveUser,
  permissionListsOf,
  rulesOfGroups,
  rulesOfPlace,
} from '../../domain/accounts/effective-user.ts'
import { patternOfHidden, type Root, servedFolderOf } from '../../domain/server/root.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'

/** What limits a user beside the rules. */
interface Limits {
  /** The path that an API token, or a grant, is limited to. */
  readonly within?: VirtualPath
  /** The root that has the files; undefined for `files`. */
  readonly rootRecord?: Root | undefined
}

interface Known {
  readonly judge: PathJudge
  readonly hidden: Root['hidden'] | undefined
}

/** Compiled rules, for each version of the settings and of the user. */
export class Judges {
  readonly #compile: PatternCompiler
  readonly #hidden: readonly VirtualPath[]
  readonly #known = new WeakMap<Readonly<Settings>, WeakMap<EffectiveUser, Map<VirtualPath, Known>>>()

  /** @param hidden paths beneath the served folder that no user may reach */
  constructor(compile: PatternCompiler, hidden: readonly VirtualPath[]) {
    this.#compile = usable(compile)
    this.#hidden = hidden
  }

  of(settings: Readonly<Settings>, user: EffectiveUser, { within = ROOT, rootRecord }: Limits = {}): PathJudge {
    const ofSettings = this.#known.get(settings) ?? new WeakMap<EffectiveUser, Map<VirtualPath, Known>>()
    this.#known.set(settings, ofSettings)
    const ofUser = ofSettings.get(user) ?? new Map<VirtualPath, Known>()
    ofSettings.set(user, ofUser)
    const known = ofUser.get(within)
    if (known !== undefined && known.hidden === rootRecord?.hidden) return known.judge
    const builtIn = [...rulesAgainst(this.#hidden, servedFolderOf(user)), ...hiddenNames(rootRecord)]
    const lists = {
      global: settings.rules,
      group: rulesOfGroups(user.groups, user.here),
      user: user.rules,
      place: rulesOfPlace(user.here),
      'built-in': builtIn,
    }
    const permissionLists = permissionListsOf(settings, user)
    const judge = createPathJudge({ lists, permissionLists, hideDotfiles: user.hideDotfiles, within }, this.#compile)
    ofUser.set(within, { judge, hidden: rootRecord?.hidden })
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

/** Rules that hide the names that a root hides, wherever they are in it. */
function hiddenNames(root: Root | undefined): Rule[] {
  return (root?.hidden ?? []).map((glob) => ({
    regex: true,
    allow: false,
    path: '',
    regexp: { raw: patternOfHidden(glob) },
  }))
}

function denial(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

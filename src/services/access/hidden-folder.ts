import type { Rule } from '../../domain/rule.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/virtual-path.ts'

/**
 * The rule that keeps a folder from everybody, as users of a scope see it. It comes last, so no other rule lifts it.
 *
 * @param hidden path of the folder beneath the served one; undefined when it lies elsewhere
 */
export function rulesAgainst(hidden: VirtualPath | undefined, scope: VirtualPath): Rule[] {
  if (hidden === undefined) return []
  if (isInside(hidden, scope)) return [denial(ROOT)]
  return isInside(scope, hidden) ? [denial(scope === ROOT ? hidden : hidden.slice(scope.length))] : []
}

function denial(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

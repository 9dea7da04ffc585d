import type { Rule } from '../../domain/rule.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/virtual-path.ts'

/**
 * The rules that keep what is ours from everybody, as users of a scope see it. They come last, so no other rule lifts them.
 *
 * @param hidden paths beneath the served folder
 */
export function rulesAgainst(hidden: readonly VirtualPath[], scope: VirtualPath): Rule[] {
  return hidden.flatMap((path) => {
    if (isInside(path, scope)) return [denial(ROOT)]
    return isInside(scope, path) ? [denial(scope === ROOT ? path : path.slice(scope.length))] : []
  })
}

function denial(path: string): Rule {
  return { regex: false, allow: false, path, regexp: null }
}

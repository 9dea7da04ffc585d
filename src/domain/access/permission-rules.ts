import { PATH_PERMISSIONS, type PathPermission, type PermissionRule } from './rule.ts'
import { matcher, type PatternCompiler, type Spellings } from './rule-match.ts'

/** What rules decide about a path, with the index of the rule that does. */
export type PermissionsBy = Readonly<Partial<Record<PathPermission, { readonly has: boolean; readonly by: number }>>>

/**
 * The last rule that matches decides about all permissions. One that matches only in another spelling, in which the path may lead to the
 * same file, takes what it does not have and gives nothing.
 */
export function permissionsBy(
  rules: readonly PermissionRule[],
  compile: PatternCompiler,
): (spelled: Spellings) => PermissionsBy {
  const compiled = rules.map((rule) => ({
    has: new Set(rule.permissions),
    isExact: matcher(rule, true, compile),
    isLoose: matcher(rule, false, compile),
  }))
  return (spelled) => {
    const decided: Partial<Record<PathPermission, { has: boolean; by: number }>> = {}
    for (let by = compiled.length - 1; by >= 0; by -= 1) {
      const rule = compiled[by]
      if (rule?.isLoose(spelled) !== true) continue
      const exact = rule.isExact(spelled)
      for (const permission of PATH_PERMISSIONS) {
        const has = rule.has.has(permission)
        if (exact || !has) decided[permission] ??= { has, by }
      }
      if (exact) break
    }
    return decided
  }
}

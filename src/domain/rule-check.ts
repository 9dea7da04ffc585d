import type { Rule } from './rule.ts'
import { isInside, type VirtualPath } from './virtual-path.ts'

/** Tells whether a path may be touched. Rules always see the path in the owner's scope, also inside a share. */
export type RuleCheck = (path: VirtualPath) => boolean

/** Compiles a pattern with RE2 semantics (search, not anchored); throws on what RE2 cannot express. */
export type PatternCompiler = (pattern: string) => (text: string) => boolean

/**
 * Global rules first, then the user's; everything is allowed until a rule matches, and the last match wins.
 * Path rules are compared in NFC; `foldCase` is for a file system that does not tell "A" from "a". Patterns never fold.
 */
export function compileRules(rules: readonly Rule[], compile: PatternCompiler, foldCase = false): RuleCheck {
  if (rules.length === 0) return () => true
  const fold = (path: string) => (foldCase ? path.normalize().toLowerCase() : path.normalize())
  const checks = rules.map((rule) => ({ allow: rule.allow, matches: matcher(rule, compile, fold) }))
  return (path) => {
    const folded = fold(path)
    return checks.reduce((allowed, check) => (check.matches(path, folded) ? check.allow : allowed), true)
  }
}

type Matcher = (path: string, folded: string) => boolean

function matcher(rule: Rule, compile: PatternCompiler, fold: (path: string) => string): Matcher {
  if (rule.regex) {
    const test = compile(rule.regexp?.raw ?? '')
    return (path) => test(path)
  }
  const rulePath = fold(rule.path)
  if (rulePath === '' || rulePath === '/') return () => true
  // "/docs/" covers what is inside, not the folder itself.
  if (rulePath.endsWith('/')) return (_, folded) => folded.startsWith(rulePath)
  return (_, folded) => isInside(rulePath as VirtualPath, folded as VirtualPath)
}

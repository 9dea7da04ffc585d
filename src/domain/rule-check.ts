import type { Rule } from './rule.ts'
import { isInside, type VirtualPath } from './virtual-path.ts'

/** Tells whether a path may be touched. Rules always see the path in the owner's scope, also inside a share. */
export type RuleCheck = (path: VirtualPath) => boolean

/** Rules that are ready to be asked. They name each other by their place. */
export interface CompiledRules {
  /** The rule that decides about a path; undefined where none matches, which allows it. */
  deciding(path: VirtualPath): number | undefined
  /** All rules that match: the last of them is the one that decides. */
  matching(path: VirtualPath): number[]
}

/** Compiles a pattern with RE2 semantics (search, not anchored); throws on what RE2 cannot express. */
export type PatternCompiler = (pattern: string) => (text: string) => boolean

/**
 * Global rules first, then the user's; everything is allowed until a rule matches, and the last match wins.
 * Path rules are compared in NFC; `foldCase` is for a file system that does not tell "A" from "a". Patterns never fold,
 * and see a name as it is and in NFC: one in another form of Unicode would slip past them.
 */
export function compileRules(rules: readonly Rule[], compile: PatternCompiler, foldCase = false): RuleCheck {
  if (rules.length === 0) return () => true
  const { deciding } = compileList(rules, compile, foldCase)
  return (path) => isAllowedBy(rules, deciding(path))
}

/** What the last rule that matches says; without one a path is allowed. @param deciding its place in the list */
export function isAllowedBy(rules: readonly Rule[], deciding: number | undefined): boolean {
  return deciding === undefined || rules[deciding]?.allow === true
}

/** What `compileRules` decides by: checks and explanations of them must never differ. */
export function compileList(rules: readonly Rule[], compile: PatternCompiler, foldCase = false): CompiledRules {
  const fold = foldCase ? foldText : (text: string) => text.normalize()
  const matchers = rules.map((rule) => matcher(rule, compile, fold))
  return {
    deciding(path) {
      const folded = fold(path)
      const last = matchers.findLastIndex((matches) => matches(path, folded))
      return last < 0 ? undefined : last
    },
    matching(path) {
      const folded = fold(path)
      return matchers.flatMap((matches, place) => (matches(path, folded) ? [place] : []))
    },
  }
}

type Matcher = (path: string, folded: string) => boolean

function matcher(rule: Rule, compile: PatternCompiler, fold: (text: string) => string): Matcher {
  if (rule.regex) {
    const test = compile((rule.regexp?.raw ?? '').normalize())
    return (path) => {
      const composed = path.normalize()
      return test(path) || (composed !== path && test(composed))
    }
  }
  const rulePath = fold(rule.path)
  if (rulePath === '' || rulePath === '/') return () => true
  // "/docs/" covers what is inside, not the folder itself.
  if (rulePath.endsWith('/')) return (_, folded) => folded.startsWith(rulePath)
  return (_, folded) => isInside(rulePath as VirtualPath, folded as VirtualPath)
}

/**
 * Equal for all names that a disk without upper and lower case may hold for one: it folds more than lower case does ("ſ" is
 * "s", "ẞ" is "ss"), and looks past characters that show nothing.
 */
function foldText(text: string): string {
  const visible = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.toLowerCase().toUpperCase().toLowerCase().normalize()
}

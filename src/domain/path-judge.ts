import type { Rule } from './rule.ts'
import { compileList, isAllowedBy, type PatternCompiler } from './rule-check.ts'
import { nameOf, type VirtualPath } from './virtual-path.ts'

/** Whose list a rule stands in. The built-in one keeps our own data from everybody and is nobody's to change. */
export const RULE_LISTS = ['global', 'user', 'built-in'] as const
export type RuleList = (typeof RULE_LISTS)[number]

/** A rule where it stands: the first of its list has index 0. */
export interface PlacedRule {
  readonly list: RuleList
  readonly index: number
  readonly rule: Rule
}

/** What rules say about a path, and why. */
export interface PathVerdict {
  readonly allowed: boolean
  /** Undefined where no rule matches. */
  readonly rule: PlacedRule | undefined
  /** All that match, in the order in which they count: the last one decides. */
  readonly matching: readonly PlacedRule[]
  /** Denied for its name alone. */
  readonly hiddenDotfile: boolean
}

/** The one judge of paths: it decides, and it explains what it decides. */
export interface PathJudge {
  /** In the order in which they count. */
  readonly rules: readonly Rule[]
  /** What rules and hidden dotfiles say. */
  allows(path: VirtualPath): boolean
  /** What rules alone say: hidden dotfiles travel along with the folder that holds them. */
  permits(path: VirtualPath): boolean
  explain(path: VirtualPath): PathVerdict
}

export interface JudgeInput {
  readonly lists: Readonly<Record<RuleList, readonly Rule[]>>
  readonly hideDotfiles: boolean
}

/** Compiles the rules once, for any number of paths. */
export function createPathJudge({ lists, hideDotfiles }: JudgeInput, compile: PatternCompiler): PathJudge {
  const placed = RULE_LISTS.flatMap((list) => lists[list].map((rule, index): PlacedRule => ({ list, index, rule })))
  const rules = placed.map(({ rule }) => rule)
  const compiled = compileList(rules, compile)
  const isHidden = (path: VirtualPath) => hideDotfiles && nameOf(path).startsWith('.')
  const permits = (path: VirtualPath) => rules.length === 0 || isAllowedBy(rules, compiled.deciding(path))
  const allows = (path: VirtualPath) => permits(path) && !isHidden(path)
  return {
    rules,
    permits,
    allows,
    explain(path) {
      const matching = compiled.matching(path).flatMap((place) => placed[place] ?? [])
      return {
        allowed: allows(path),
        rule: matching.at(-1),
        matching,
        hiddenDotfile: permits(path) && isHidden(path),
      }
    },
  }
}

import type { Rule } from './rule.ts'
import { isInside, nameOf, type VirtualPath } from '../files/virtual-path.ts'

/** Tells whether a path may be touched. Rules always see the path in the owner's scope, also inside a share. */
export type RuleCheck = (path: VirtualPath) => boolean

/** Compiled rules, identified by their index. */
interface CompiledRules {
  /** The rule that decides about a path; undefined where none matches, which allows it. */
  deciding(path: VirtualPath): number | undefined
  /** All rules that match: the last of them is the one that decides. */
  matching(path: VirtualPath): number[]
}

/** Compiles a pattern with RE2 semantics (search, not anchored); throws on what RE2 cannot express. */
export type PatternCompiler = (pattern: string, ignoreCase?: boolean) => (text: string) => boolean

/**
 * Global rules first, then the user's; everything is allowed until a rule matches, and the last match wins.
 *
 * What denies counts in any case and any form of Unicode, what allows only as it is written, in NFC: any folder may be a disk
 * that does not tell "A" from "a", and another spelling must not open there what is denied. On other disks a rule denies a
 * little more than it says; another rule that allows it brings it back.
 */
export function compileRules(rules: readonly Rule[], compile: PatternCompiler): RuleCheck {
  if (rules.length === 0) return () => true
  const { deciding } = compileList(rules, compile)
  return (path) => isAllowedBy(rules, deciding(path))
}

/** What the last rule that matches says; without one a path is allowed. @param deciding its place in the list */
function isAllowedBy(rules: readonly Rule[], deciding: number | undefined): boolean {
  return deciding === undefined || rules[deciding]?.allow === true
}

/** What `compileRules` decides by: checks and explanations of them must never differ. */
function compileList(rules: readonly Rule[], compile: PatternCompiler): CompiledRules {
  const matchers = rules.map((rule) => matcher(rule, compile))
  return {
    deciding(path) {
      const spelled = spellingsOf(path)
      const last = matchers.findLastIndex((matches) => matches(spelled))
      return last < 0 ? undefined : last
    },
    matching(path) {
      const spelled = spellingsOf(path)
      return matchers.flatMap((matches, place) => (matches(spelled) ? [place] : []))
    },
  }
}

interface Spellings {
  readonly path: string
  readonly composed: string
  readonly folded: string
}

type Matcher = (spelled: Spellings) => boolean

function spellingsOf(path: string): Spellings {
  return { path, composed: path.normalize(), folded: foldText(path) }
}

function matcher({ regex, regexp, allow, path }: Rule, compile: PatternCompiler): Matcher {
  if (regex) return patternMatcher((regexp?.raw ?? '').normalize(), allow, compile)
  const rulePath = allow ? path.normalize() : foldText(path)
  const asCompared = ({ composed, folded }: Spellings) => (allow ? composed : folded)
  if (rulePath === '' || rulePath === '/') return () => true
  // "/docs/" covers what is inside, not the folder itself.
  if (rulePath.endsWith('/')) return (spelled) => asCompared(spelled).startsWith(rulePath)
  return (spelled) => isInside(rulePath as VirtualPath, asCompared(spelled) as VirtualPath)
}

/** A name in another form of Unicode would slip past a pattern that sees it only as it is. */
function patternMatcher(pattern: string, allow: boolean, compile: PatternCompiler): Matcher {
  const test = compile(pattern, !allow)
  return ({ path, composed, folded }) =>
    test(path) ||
    (composed !== path && test(composed)) ||
    (!allow && !isAscii(path) && folded !== composed && test(folded))
}

/**
 * Equal for all names that a disk without upper and lower case may hold for one: it folds more than lower case does ("ſ" is
 * "s", "ẞ" is "ss"), and looks past characters that show nothing.
 */
function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const visible = text.normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.toLowerCase().toUpperCase().toLowerCase().normalize()
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
  return /^[\x00-\x7f]*$/.test(text)
}

/** The list that a rule is in. The built-in one protects our own data from all users and cannot be changed. */
export const RULE_LISTS = ['global', 'user', 'built-in'] as const
type RuleList = (typeof RULE_LISTS)[number]

/** A rule where it stands: the first of its list has index 0. */
export interface PlacedRule {
  readonly list: RuleList
  readonly index: number
  readonly rule: Rule
}

/** What rules say about a path, and why. */
interface PathVerdict {
  readonly allowed: boolean
  /** Undefined where no rule matches. */
  readonly rule: PlacedRule | undefined
  /** All that match, in the order in which they count: the last one decides. */
  readonly matching: readonly PlacedRule[]
  /** Denied for its name alone. */
  readonly hiddenDotfile: boolean
}

/** The only code that matches rules: it decides, and explains its decision. */
export interface PathJudge {
  /** In the order in which they count. */
  readonly rules: readonly Rule[]
  /** What rules and hidden dotfiles say. */
  allows(path: VirtualPath): boolean
  /** What rules alone say: hidden dotfiles travel along with the folder that holds them. */
  permits(path: VirtualPath): boolean
  explain(path: VirtualPath): PathVerdict
}

interface JudgeInput {
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

/** How a path in a scope is called by rules, which always see the owner's own path (GHSA-j9jx-hp4c-ghhh), and what they say. */
export interface Visibility {
  /** Global rules, then the user's. */
  readonly rules: readonly Rule[]
  /** The scope's root as the owner calls it: "/" except inside a share. */
  readonly rulePrefix: VirtualPath
  readonly hideDotfiles: boolean
}

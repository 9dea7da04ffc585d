import { composed as composedOf, foldKeepingDots, foldName, isAscii } from '../text/fold.ts'
import { type GroupRule, type Rule, RULE_LISTS, type RuleList } from './rule.ts'
import { isInside, nameOf, ROOT, type VirtualPath } from '../files/virtual-path.ts'

/**
 * A rule, or the limit of an API token, which denies everything outside a path. The limit is compared exactly: on a disk that
 * ignores case, another spelling counts as outside.
 */
export type PathRule = Rule | { readonly allow: false; readonly outside: VirtualPath }

/** True for paths that rules allow. Rules always see the path in the owner's scope, also inside a share. */
export type RuleCheck = (path: VirtualPath) => boolean

/** Compiled rules, identified by their index. */
interface CompiledRules {
  /** The last rule that matches, which decides; undefined if none does, which allows the path. */
  deciding(path: VirtualPath): number | undefined
  /** All rules that match, in order. */
  matching(path: VirtualPath): number[]
}

/** Compiles a pattern with RE2 semantics (search, not anchored); throws on what RE2 cannot express. */
export type PatternCompiler = (pattern: string, ignoreCase?: boolean) => (text: string) => boolean

/**
 * Global rules first, then those of groups, then the user's; everything is allowed until a rule matches, and the last match wins.
 *
 * Denying rules ignore case and Unicode form, allowing rules compare exactly, in NFC: any folder may be on a case-insensitive
 * disk, where a different spelling must not open a denied file. On case-sensitive disks a rule therefore denies slightly more
 * than it says; a later allowing rule can undo that.
 */
export function compileRules(rules: readonly PathRule[], compile: PatternCompiler): RuleCheck {
  if (rules.length === 0) return () => true
  const { deciding } = compileList(rules, compile)
  return (path) => isAllowedBy(rules, deciding(path))
}

function isAllowedBy(rules: readonly PathRule[], deciding: number | undefined): boolean {
  return deciding === undefined || rules[deciding]?.allow === true
}

/** Shared by checks and explanations, so that they never differ. */
function compileList(rules: readonly PathRule[], compile: PatternCompiler): CompiledRules {
  const matchers = rules.map((rule) => matcher(rule, compile))
  return {
    deciding(path) {
      const spelled = spellingsOf(path)
      const last = matchers.findLastIndex((matches) => matches(spelled))
      return last < 0 ? undefined : last
    },
    matching(path) {
      const spelled = spellingsOf(path)
      return matchers.flatMap((matches, index) => (matches(spelled) ? [index] : []))
    },
  }
}

interface Spellings {
  readonly path: string
  readonly composed: string
  readonly folded: string
  readonly dotted: string
}

type Matcher = (spelled: Spellings) => boolean

function spellingsOf(path: string): Spellings {
  return { path, composed: composedOf(path), folded: foldName(path), dotted: foldKeepingDots(path) }
}

function matcher(rule: PathRule, compile: PatternCompiler): Matcher {
  if ('outside' in rule) return ({ path }) => !isInside(rule.outside, path as VirtualPath)
  const { regex, regexp, allow, path } = rule
  if (regex) return patternMatcher(composedOf(regexp?.raw ?? ''), allow, compile)
  const rulePath = allow ? composedOf(path) : foldName(path)
  const asCompared = (spelled: Spellings) => (allow ? spelled.composed : spelled.folded)
  if (rulePath === '' || rulePath === '/') return () => true
  // "/docs/" covers what is inside, not the folder itself.
  if (rulePath.endsWith('/')) return (spelled) => asCompared(spelled).startsWith(rulePath)
  return (spelled) => isInside(rulePath as VirtualPath, asCompared(spelled) as VirtualPath)
}

/** Tests all Unicode forms: otherwise a decomposed name would bypass a pattern. */
function patternMatcher(pattern: string, allow: boolean, compile: PatternCompiler): Matcher {
  const test = compile(pattern, !allow)
  return ({ path, composed, folded, dotted }) => {
    if (test(path)) return true
    if (isAscii(path)) return false
    const others = allow ? [composed] : [composed, folded, dotted]
    return [...new Set(others)].some((other) => other !== path && test(other))
  }
}

/** A rule with its position in its list. */
export interface PlacedRule {
  readonly list: RuleList
  /** The name of the group, for one of a group. */
  readonly group?: string
  readonly index: number
  readonly rule: Rule
}

/** The decision about a path, and the reason for it. */
interface PathVerdict {
  readonly allowed: boolean
  /** Undefined if no rule matches. */
  readonly rule: PlacedRule | undefined
  /** All matching rules; the last one decides. */
  readonly matching: readonly PlacedRule[]
  /** Denied only because its name begins with a dot. */
  readonly hiddenDotfile: boolean
}

/** The only code that matches rules: it decides, and explains its decision. */
export interface PathJudge {
  /** All lists in one, and the limit of a token; the last match decides. */
  readonly rules: readonly PathRule[]
  /** By rules and the setting that hides dotfiles. */
  allows(path: VirtualPath): boolean
  /** By rules alone: copying or moving a folder includes its hidden dotfiles. */
  permits(path: VirtualPath): boolean
  explain(path: VirtualPath): PathVerdict
}

interface JudgeInput {
  readonly lists: Readonly<Record<Exclude<RuleList, 'group'>, readonly Rule[]>> & {
    /** In the order in which they apply. */
    readonly group: readonly GroupRule[]
  }
  readonly hideDotfiles: boolean
  /** Everything outside is denied, whatever the rules say. */
  readonly within?: VirtualPath | undefined
}

/** Compiles the rules once, for any number of paths. */
export function createPathJudge(
  { lists, hideDotfiles, within = ROOT }: JudgeInput,
  compile: PatternCompiler,
): PathJudge {
  const placed = RULE_LISTS.flatMap((list): PlacedRule[] =>
    list === 'group'
      ? lists.group.map((placedRule) => ({ list, ...placedRule }))
      : lists[list].map((rule, index) => ({ list, index, rule })),
  )
  const limit: PathRule[] = within === ROOT ? [] : [{ allow: false, outside: within }]
  const rules = [...placed.map(({ rule }) => rule), ...limit]
  const compiled = compileList(rules, compile)
  const isHidden = (path: VirtualPath) => hideDotfiles && nameOf(path).startsWith('.')
  const permits = (path: VirtualPath) => rules.length === 0 || isAllowedBy(rules, compiled.deciding(path))
  const allows = (path: VirtualPath) => permits(path) && !isHidden(path)
  return {
    rules,
    permits,
    allows,
    explain(path) {
      const matching = compiled.matching(path).flatMap((index) => placed[index] ?? [])
      return {
        allowed: allows(path),
        rule: matching.at(-1),
        matching,
        hiddenDotfile: permits(path) && isHidden(path),
      }
    },
  }
}

/** The rules of a scope, and the prefix that makes a path the owner's own, which rules must see (GHSA-j9jx-hp4c-ghhh). */
export interface Visibility {
  /** Global rules, those of groups, then the user's. */
  readonly rules: readonly PathRule[]
  /** The scope root in the owner's scope: "/" except inside a share. */
  readonly rulePrefix: VirtualPath
  readonly hideDotfiles: boolean
}

/**
 * The rules that can decide about a folder and what is in it. Expressions may match anything, so all of them are included.
 *
 * @returns text that changes whenever the decision about any of these paths may change
 */
export function rulesAbout(rules: readonly PathRule[], folder: VirtualPath): string {
  const folded = foldName(folder) as VirtualPath
  const concerns = (rule: PathRule): boolean => {
    if ('outside' in rule || rule.regex) return true
    const path = foldName(rule.path.replace(/\/+$/, '') || ROOT) as VirtualPath
    return isInside(path, folded) || isInside(folded, path)
  }
  return JSON.stringify(rules.filter(concerns))
}

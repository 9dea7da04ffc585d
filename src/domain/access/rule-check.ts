import { foldName } from '../text/fold.ts'
import { type PermissionsBy, permissionsBy } from './permission-rules.ts'
import {
  type GroupRule,
  type PathPermission,
  type PermissionRule,
  type PlaceRule,
  type Rule,
  RULE_LISTS,
  type RuleList,
} from './rule.ts'
import { matcher, type Matcher, type PatternCompiler, spellingsOf } from './rule-match.ts'
import { isInside, nameOf, ROOT, type VirtualPath } from '../files/virtual-path.ts'

export type { PatternCompiler } from './rule-match.ts'

/** The limit of an API token, which denies everything outside a path, exactly: on a disk that ignores case, another spelling is outside. */
interface Limit {
  readonly allow: false
  readonly outside: VirtualPath
}

/** Denies the paths where not all of these permissions hold: what goes through folders passes over them. */
interface Lack {
  readonly allow: false
  /** With whether they hold where no rule says anything. */
  readonly lacking: readonly (readonly [PathPermission, boolean])[]
  readonly permissionRules: readonly PermissionRule[]
}

export type PathRule = Rule | Limit | Lack

/** True for paths that rules allow. Rules always see the path in the owner's scope, also inside a share. */
export type RuleCheck = (path: VirtualPath) => boolean

/** Compiled rules, identified by their index. */
interface CompiledRules {
  /** The last rule that matches, which decides; undefined if none does, which allows the path. */
  deciding(path: VirtualPath): number | undefined
  /** All rules that match, in order. */
  matching(path: VirtualPath): number[]
}

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
  const matchers = rules.map((rule) => matcherOf(rule, compile))
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

function matcherOf(rule: PathRule, compile: PatternCompiler): Matcher {
  if ('outside' in rule) return ({ path }) => !isInside(rule.outside, path as VirtualPath)
  if (!('lacking' in rule)) return matcher(rule, rule.allow, compile)
  const decisions = permissionsBy(rule.permissionRules, compile)
  return (spelled) => {
    const decided = decisions(spelled)
    return !rule.lacking.every(([permission, otherwise]) => decided[permission]?.has ?? otherwise)
  }
}

/** A rule with its position in its list. */
export interface PlacedRule<R = Rule> {
  readonly list: RuleList
  /** The name of the group, for one of a group. */
  readonly group?: string
  /** The name of the place, for one of a place that the user or the group has. */
  readonly place?: string
  readonly index: number
  readonly rule: R
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
  /** In the same order. They neither allow nor deny a path. */
  readonly permissionRules: readonly PermissionRule[]
  /** What they say about a path; nothing about what no rule decides. */
  permissionsBy(path: VirtualPath): PermissionsBy
  /** The rule that decides about a permission. */
  permissionRuleFor(path: VirtualPath, permission: PathPermission): PlacedRule<PermissionRule> | undefined
}

/** Rules of each origin, those of groups in the order in which they apply. */
type Lists<R, L extends RuleList> = Readonly<Record<Exclude<L, 'group'>, readonly R[]>> & {
  readonly group: readonly GroupRule<R>[]
  /** Of the place that the paths are in. They follow those of the user. */
  readonly place?: readonly PlaceRule<R>[]
}

interface JudgeInput {
  readonly lists: Lists<Rule, RuleList>
  readonly permissionLists?: Lists<PermissionRule, Exclude<RuleList, 'built-in'>> | undefined
  readonly hideDotfiles: boolean
  /** Everything outside is denied, whatever the rules say. */
  readonly within?: VirtualPath | undefined
}

/** Compiles the rules once, for any number of paths. */
export function createPathJudge(
  { lists, permissionLists, hideDotfiles, within = ROOT }: JudgeInput,
  compile: PatternCompiler,
): PathJudge {
  const placed = placedRules({ ...lists })
  // Their positions follow those of the other rules of their list.
  const placedPermissions = placedRules({ 'built-in': [], ...(permissionLists ?? NO_PERMISSION_LISTS) }).map(
    (placed) =>
      placed.list === 'group' || placed.place !== undefined
        ? placed
        : { ...placed, index: placed.index + lists[placed.list].length },
  )
  const limit: PathRule[] = within === ROOT ? [] : [{ allow: false, outside: within }]
  const rules = [...placed.map(({ rule }) => rule), ...limit]
  const compiled = compileList(rules, compile)
  const permissionRules = placedPermissions.map(({ rule }) => rule)
  const decisions = permissionsBy(permissionRules, compile)
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
    permissionRules,
    permissionsBy: (path) => (permissionRules.length === 0 ? UNDECIDED : decisions(spellingsOf(path))),
    permissionRuleFor: (path, permission) => {
      const by = decisions(spellingsOf(path))[permission]?.by
      return by === undefined ? undefined : placedPermissions[by]
    },
  }
}

const UNDECIDED: PermissionsBy = {}
const NO_PERMISSION_LISTS = { global: [], group: [], user: [] }

function placedRules<R>(lists: Lists<R, RuleList>): PlacedRule<R>[] {
  return RULE_LISTS.flatMap((list): PlacedRule<R>[] => {
    if (list === 'group') return lists.group.map((placedRule) => ({ list, ...placedRule }))
    const own = lists[list].map((rule, index) => ({ list, index, rule }))
    return list === 'user' ? [...own, ...(lists.place ?? []).map((placedRule) => ({ list, ...placedRule }))] : own
  })
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
export function rulesAbout(
  { rules, permissionRules }: Pick<PathJudge, 'rules' | 'permissionRules'>,
  folder: VirtualPath,
): string {
  const folded = foldName(folder) as VirtualPath
  const concerns = (rule: PathRule | PermissionRule): boolean => {
    if ('outside' in rule || 'lacking' in rule || rule.regex) return true
    const path = foldName(rule.path.replace(/\/+$/, '') || ROOT) as VirtualPath
    return isInside(path, folded) || isInside(folded, path)
  }
  return JSON.stringify([rules.filter(concerns), permissionRules.filter(concerns)])
}

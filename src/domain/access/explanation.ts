import { type Static, Type } from 'typebox'
import { type PathJudge, type PlacedRule, RULE_LISTS } from './rule-check.ts'
import { missingFor, Permissions, type Right } from './permissions.ts'
import { MOST_RULES, Rule } from './rule.ts'
import { ROOT, type VirtualPath } from '../files/virtual-path.ts'
/** What an action needs, and what it reaches: the thing that a link leads to, the name itself, or all beneath it too. */
interface ActionFacts {
  readonly right: Right
  readonly reach: 'target' | 'name' | 'tree'
}

/** The actions to ask about, by name. */
export const ACTIONS = {
  list: { right: 'files.list', reach: 'target' },
  search: { right: 'search.run', reach: 'target' },
  read: { right: 'files.content', reach: 'target' },
  download: { right: 'downloads.raw', reach: 'target' },
  checksum: { right: 'files.checksum', reach: 'target' },
  create: { right: 'files.create', reach: 'name' },
  overwrite: { right: 'files.overwrite', reach: 'target' },
  save: { right: 'files.save', reach: 'target' },
  copy: { right: 'files.copy', reach: 'tree' },
  rename: { right: 'files.rename', reach: 'tree' },
  delete: { right: 'files.remove', reach: 'tree' },
} as const satisfies Record<string, ActionFacts>
export type Action = keyof typeof ACTIONS

export const ACTION_NAMES = Object.keys(ACTIONS) as Action[]

const Placed = Type.Object({ list: Type.Enum([...RULE_LISTS]), index: Type.Integer({ minimum: 0 }), rule: Rule })

/** One reason why an action is refused; each alone is enough. */
export const Obstacle = Type.Object({
  kind: Type.Enum(['permission', 'read-only', 'rule', 'dotfile', 'root', 'scope', 'disk']),
  /** Of the scope of the user; of an entry beneath it where a whole folder is concerned. */
  path: Type.String(),
  message: Type.String(),
  permission: Type.Optional(Type.String()),
  rule: Type.Optional(Placed),
})
export type Obstacle = Static<typeof Obstacle>

/** The answer to "why may this user (not) do that there?". */
export const Explanation = Type.Object({
  user: Type.String(),
  action: Type.Enum(ACTION_NAMES),
  path: Type.String(),
  allowed: Type.Boolean(),
  /** None when it is allowed. */
  obstacles: Type.Array(Obstacle),
  /** The permissions that the action needs. */
  needs: Type.Array(Type.String()),
  /** The rule that decides about the path itself, also one that allows it. */
  rule: Type.Union([Placed, Type.Null()]),
  /** All rules that match the path, in the order in which they count: the last one decides. */
  matching: Type.Array(Placed),
  /** False when the folder holds more than was looked at: something further in may still be denied. */
  complete: Type.Boolean(),
})
export type Explanation = Static<typeof Explanation>

/** An account, or the rules for all users, as they would be after a proposed change. */
export const Supposed = Type.Object({
  /** Of the user. */
  rules: Type.Optional(Type.Array(Rule, { maxItems: MOST_RULES })),
  /** For all users. */
  globalRules: Type.Optional(Type.Array(Rule, { maxItems: MOST_RULES })),
  perm: Type.Optional(Permissions),
  scope: Type.Optional(Type.String({ maxLength: 4096 })),
  hideDotfiles: Type.Optional(Type.Boolean()),
})
export type Supposed = Static<typeof Supposed>

export interface Question {
  readonly action: Action
  readonly path: VirtualPath
  /** As the account has them. */
  readonly granted: Permissions
  /** As this server leaves them. */
  readonly effective: Permissions
  readonly judge: PathJudge
}

/** Why account and rules refuse an action, by the same checks that refuse it. */
export function obstaclesTo({ action, path, granted, effective, judge }: Question): Obstacle[] {
  const { right, reach } = ACTIONS[action]
  const missing = missingFor(effective, right).map((permission): Obstacle =>
    granted[permission]
      ? { kind: 'read-only', path, permission, message: 'the server was started to be read-only' }
      : { kind: 'permission', path, permission, message: `the permission "${permission}" is not given` },
  )
  const root: Obstacle = { kind: 'root', path, message: 'the root folder stays where it is' }
  return [...missing, ...(path === ROOT && reach === 'tree' ? [root] : []), ...pathObstacles(judge, path)]
}

/** Why rules or hidden dotfiles deny a path to a user. */
function pathObstacles(judge: PathJudge, path: VirtualPath): Obstacle[] {
  const { allowed, rule, hiddenDotfile } = judge.explain(path)
  if (allowed) return []
  if (hiddenDotfile) return [{ kind: 'dotfile', path, message: 'the account hides names that begin with a dot' }]
  return [ruleObstacle(path, rule)]
}

/** Why a rule, or hidden dotfiles, denies a path. */
export function ruleObstacle(path: VirtualPath, rule: PlacedRule | undefined): Obstacle {
  if (rule === undefined) return { kind: 'rule', path, message: `${path} is denied` }
  return { kind: 'rule', path, rule, message: `${describeRule(rule)} denies ${path}` }
}

/** Such as "rule 2 for all users (/secret)". */
export function describeRule({ list, index, rule }: PlacedRule): string {
  const what = rule.regex ? `expression ${rule.regexp?.raw ?? ''}` : rule.path
  if (list === 'built-in') return `the built-in rule for the data of filemgr (${what})`
  return `rule ${index} ${list === 'global' ? 'for all users' : 'of this user'} (${what})`
}

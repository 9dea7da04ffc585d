import { type Static, Type } from 'typebox'
import type { PathJudge, PlacedRule } from './rule-check.ts'
import { Permissions as PermissionFields } from './permission-fields.ts'
import { GROUP_PERMISSIONS, missingFor, type Permission, type Permissions, type Right } from './permissions.ts'
import { MAX_RULES, type PathPermission, PermissionRule, PermissionRules, Rule, RULE_LISTS } from './rule.ts'
import { ROOT, type VirtualPath } from '../files/virtual-path.ts'

/** The right an action needs, and what it affects: the target of a link, the name itself, or also everything beneath it. */
interface ActionFacts {
  readonly right: Right
  readonly reach: 'target' | 'name' | 'tree'
}

export const ACTIONS = {
  list: { right: 'files.list', reach: 'target' },
  search: { right: 'files.list', reach: 'target' },
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

const Placed = Type.Object({
  list: Type.Enum([...RULE_LISTS]),
  /** The name of the group, for a rule of a group. */
  group: Type.Optional(Type.String()),
  /** The name of the place, for a rule of a place that the user or the group has. */
  place: Type.Optional(Type.String()),
  index: Type.Integer({ minimum: 0 }),
  rule: Rule,
})

const PlacedPermissions = Type.Object({ ...Placed.properties, rule: PermissionRule })

/** One reason why an action is refused; each one alone is sufficient. */
export const Obstacle = Type.Object({
  kind: Type.Enum(['permission', 'read-only', 'rule', 'dotfile', 'root', 'scope', 'disk']),
  /** In the user's scope. For actions on a whole folder it may be an entry beneath the requested path. */
  path: Type.String(),
  message: Type.String(),
  permission: Type.Optional(Type.String()),
  /** The account is denied the permission, whatever its groups give. */
  denied: Type.Optional(Type.Boolean()),
  rule: Type.Optional(Placed),
  /** Of a permission: the rule that does not give it. */
  permissionRule: Type.Optional(PlacedPermissions),
})
export type Obstacle = Static<typeof Obstacle>

/** Why a user may or may not perform an action on a path. */
export const Explanation = Type.Object({
  user: Type.String(),
  action: Type.Enum(ACTION_NAMES),
  path: Type.String(),
  /** The place that the path is in, if it is given besides the own folder of the account. */
  place: Type.Optional(
    Type.Object({
      name: Type.String(),
      /** The name of its root. */
      root: Type.String(),
      /** The groups that give it. */
      groups: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  allowed: Type.Boolean(),
  /** Empty if the action is allowed. */
  obstacles: Type.Array(Obstacle),
  /** Permissions that the action needs. */
  needs: Type.Array(Type.String()),
  /** The groups by which the user has those of them that the account itself has not. */
  by: Type.Array(Type.Object({ permission: Type.String(), group: Type.String() })),
  /** The rules that decide about them at this path; none where the account decides. */
  permissionRules: Type.Optional(
    Type.Array(Type.Object({ permission: Type.String(), has: Type.Boolean(), placed: PlacedPermissions })),
  ),
  /** The rule that decides about the path itself; it may allow it. */
  rule: Type.Union([Placed, Type.Null()]),
  /** All rules that match the path; the last one decides. */
  matching: Type.Array(Placed),
  /** False if the folder has too many entries to examine all: one further down may still be denied. */
  complete: Type.Boolean(),
  /** False if nothing is at the path, so that only the right is there. True if it cannot be known. */
  exists: Type.Boolean(),
})
export type Explanation = Static<typeof Explanation>

/** A proposed change to an account, to one of its groups, or to the rules for all users. */
export const Supposed = Type.Object({
  /** The user's own rules. */
  rules: Type.Optional(Type.Array(Rule, { maxItems: MAX_RULES })),
  permissionRules: Type.Optional(PermissionRules),
  /** Of one of the user's groups. */
  group: Type.Optional(
    Type.Object({
      id: Type.String({ maxLength: 64 }),
      rules: Type.Optional(Type.Array(Rule, { maxItems: MAX_RULES })),
      permissionRules: Type.Optional(PermissionRules),
      perm: Type.Optional(Type.Partial(PermissionFields)),
    }),
  ),
  globalRules: Type.Optional(Type.Array(Rule, { maxItems: MAX_RULES })),
  globalPermissionRules: Type.Optional(PermissionRules),
  perm: Type.Optional(PermissionFields),
  denied: Type.Optional(Type.Array(Type.Enum(GROUP_PERMISSIONS))),
  scope: Type.Optional(Type.String({ maxLength: 4096 })),
  hideDotfiles: Type.Optional(Type.Boolean()),
})
export type Supposed = Static<typeof Supposed>

export interface Question {
  readonly action: Action
  readonly path: VirtualPath
  /** Of the account and its groups. */
  readonly granted: Permissions
  /** What the account is denied, whatever its groups give. */
  readonly denied: readonly Permission[]
  /** At the path, after the server's read-only mode is applied. */
  readonly effective: Permissions
  readonly judge: PathJudge
  /** The name of the root that has the files, if nobody can change anything in it. */
  readonly readOnlyRoot?: string | undefined
}

/** Why permissions or rules refuse an action. Uses the same checks as the action itself. */
export function obstaclesTo(question: Question): Obstacle[] {
  const { action, path, granted, denied, effective, judge, readOnlyRoot } = question
  const whyReadOnly =
    readOnlyRoot === undefined ? 'the server was started to be read-only' : `the root "${readOnlyRoot}" is read-only`
  const { right, reach } = ACTIONS[action]
  const missing = missingFor(effective, right).map((permission): Obstacle => {
    const placed = judge.permissionRuleFor(path, permission as PathPermission)
    const has = placed?.rule.permissions.includes(permission as PathPermission) ?? granted[permission]
    if (denied.includes(permission)) return missingPermission(path, permission, denied)
    if (has) return { kind: 'read-only', path, permission, message: whyReadOnly }
    return placed === undefined
      ? missingPermission(path, permission, denied)
      : permissionRuleObstacle(path, permission, placed)
  })
  const root: Obstacle = { kind: 'root', path, message: 'the root folder cannot be moved or deleted' }
  return [...missing, ...(path === ROOT && reach === 'tree' ? [root] : []), ...pathObstacles(judge, path)]
}

export function permissionRuleObstacle(
  path: VirtualPath,
  permission: Permission,
  permissionRule: PlacedRule<PermissionRule>,
): Obstacle {
  const message = `${describeRule(permissionRule)} does not give the permission "${permission}" for ${path}`
  return { kind: 'permission', path, permission, permissionRule, message }
}

function missingPermission(path: VirtualPath, permission: Permission, denied: readonly Permission[]): Obstacle {
  if (!denied.includes(permission))
    return { kind: 'permission', path, permission, message: `the permission "${permission}" is not given` }
  const message = `the permission "${permission}" is denied to this user`
  return { kind: 'permission', path, permission, denied: true, message }
}

function pathObstacles(judge: PathJudge, path: VirtualPath): Obstacle[] {
  const { allowed, rule, hiddenDotfile } = judge.explain(path)
  if (allowed) return []
  if (hiddenDotfile) return [{ kind: 'dotfile', path, message: 'the account hides names that begin with a dot' }]
  return [ruleObstacle(path, rule)]
}

export function ruleObstacle(path: VirtualPath, rule: PlacedRule | undefined): Obstacle {
  if (rule === undefined) return { kind: 'rule', path, message: `${path} is denied` }
  return { kind: 'rule', path, rule, message: `${describeRule(rule)} denies ${path}` }
}

/** Whether the action needs something that is not there: the answer is about the right alone. */
export function isMissing({ action, exists }: Explanation): boolean {
  return !exists && action !== 'create'
}

/** Such as "rule 2 for all users (/secret)". */
export function describeRule({ list, group, place, index, rule }: PlacedRule<Rule | PermissionRule>): string {
  const pattern = rule.regex ? `expression ${rule.regexp?.raw ?? ''}` : rule.path
  if (list === 'built-in') return `the built-in rule for the data of filemgr (${pattern})`
  const number = place === undefined ? `rule ${index}` : `rule ${index} in the place ${place}`
  if (list === 'group') return `${number} of the group ${group ?? ''} (${pattern})`
  return `${number} ${list === 'global' ? 'for all users' : 'of this user'} (${pattern})`
}

import { Type, type Static } from 'typebox'

/** Per list. */
export const MAX_RULES = 1000
/** In characters. */
export const MAX_PATTERN_LENGTH = 4096

/** Allows or denies a path and everything beneath it, or all paths that a pattern matches. */
export const Rule = Type.Object(
  {
    regex: Type.Boolean({ default: false }),
    allow: Type.Boolean({ default: false }),
    path: Type.String({ default: '' }),
    regexp: Type.Union([Type.Object({ raw: Type.String({ maxLength: MAX_PATTERN_LENGTH }) }), Type.Null()], {
      default: null,
    }),
  },
  { title: 'Rule' },
)
export type Rule = Static<typeof Rule>

/** What a rule can give or take beneath a path. Looking needs none; who administers and who runs programs is said of the account. */
export const PATH_PERMISSIONS = ['download', 'create', 'modify', 'rename', 'delete', 'share'] as const
export type PathPermission = (typeof PATH_PERMISSIONS)[number]

/** What somebody may do at one path. */
export const PathPermissions = Type.Object({
  download: Type.Boolean(),
  create: Type.Boolean(),
  modify: Type.Boolean(),
  rename: Type.Boolean(),
  delete: Type.Boolean(),
  share: Type.Boolean(),
})
export type PathPermissions = Static<typeof PathPermissions>

/** Says what may be done beneath a path, whatever the account may do elsewhere. It neither shows nor hides anything. */
export const PermissionRule = Type.Object(
  {
    regex: Rule.properties.regex,
    path: Rule.properties.path,
    regexp: Rule.properties.regexp,
    permissions: Type.Array(Type.Enum(PATH_PERMISSIONS), {
      maxItems: PATH_PERMISSIONS.length,
      uniqueItems: true,
      title: 'Permissions',
      description: 'All that may be done there; none to look only',
    }),
  },
  { title: 'Rule with permissions' },
)
export type PermissionRule = Static<typeof PermissionRule>

/** A list of rules with permissions. The last one that matches decides. */
export const PermissionRules = Type.Array(PermissionRule, {
  default: [],
  maxItems: MAX_RULES,
  title: 'Permissions in folders',
  'x-filemgr': { widget: 'permissionRules', cli: false },
})

/** A rule as commands list it: those that show and hide, then those with permissions, which they have besides. */
export const AnyRule = Type.Object({
  ...Rule.properties,
  permissions: Type.Optional(PermissionRule.properties.permissions),
})
export type AnyRule = Static<typeof AnyRule>

/** The entries that rules would hide, and those for which they would say what may be done. */
export const PreviewOfRules = Type.Object({
  /** At most 100; a hidden folder stands for everything in it. */
  paths: Type.Array(Type.String()),
  /** Number of hidden entries, including those not in `paths`. */
  count: Type.Integer({ minimum: 0 }),
  /** Number of entries examined. */
  looked: Type.Integer({ minimum: 0 }),
  /** False if the limit was reached before all entries were examined. */
  complete: Type.Boolean(),
  /** Entries for which rules with permissions decide, if there are any. */
  decided: Type.Optional(Type.Object({ paths: Type.Array(Type.String()), count: Type.Integer({ minimum: 0 }) })),
})
export type PreviewOfRules = Static<typeof PreviewOfRules>

/** The lists of rules. The built-in one protects the daemon's own data from all users and cannot be changed. */
export const RULE_LISTS = ['global', 'group', 'user', 'built-in'] as const
export type RuleList = (typeof RULE_LISTS)[number]

/** A rule of a place that an account has by itself, by its position in the list of the place. */
export interface PlaceRule<R = Rule> {
  /** The name of the place. */
  readonly place: string
  readonly index: number
  readonly rule: R
}

/** A rule of a group, by its position in the list of the group, or of a place that the group gives. */
export interface GroupRule<R = Rule> extends Omit<PlaceRule<R>, 'place'> {
  /** The name of the group. */
  readonly group: string
  readonly place?: string
}

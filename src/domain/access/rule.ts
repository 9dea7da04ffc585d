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

/** The entries that rules would hide. */
export const PreviewOfRules = Type.Object({
  /** At most 100; a hidden folder stands for everything in it. */
  paths: Type.Array(Type.String()),
  /** Number of hidden entries, including those not in `paths`. */
  count: Type.Integer({ minimum: 0 }),
  /** Number of entries examined. */
  looked: Type.Integer({ minimum: 0 }),
  /** False if the limit was reached before all entries were examined. */
  complete: Type.Boolean(),
})
export type PreviewOfRules = Static<typeof PreviewOfRules>

/** The lists of rules. The built-in one protects the daemon's own data from all users and cannot be changed. */
export const RULE_LISTS = ['global', 'group', 'user', 'built-in'] as const
export type RuleList = (typeof RULE_LISTS)[number]

/** A rule of a group, by its position in the list of the group. */
export interface GroupRule {
  /** The name of the group. */
  readonly group: string
  readonly index: number
  readonly rule: Rule
}

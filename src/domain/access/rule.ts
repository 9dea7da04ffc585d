import { Type, type Static } from 'typebox'

/** Of one list. */
export const MOST_RULES = 1000
/** In characters. */
export const LONGEST_PATTERN = 4096

/** Allows or denies a path and everything beneath it, or all paths that a pattern matches. */
export const Rule = Type.Object(
  {
    regex: Type.Boolean({ default: false }),
    allow: Type.Boolean({ default: false }),
    path: Type.String({ default: '' }),
    regexp: Type.Union([Type.Object({ raw: Type.String({ maxLength: LONGEST_PATTERN }) }), Type.Null()], {
      default: null,
    }),
  },
  { title: 'Rule' },
)
export type Rule = Static<typeof Rule>

/** What rules would hide. */
export const PreviewOfRules = Type.Object({
  /** At most 100; a hidden folder stands for what is hidden in it. */
  paths: Type.Array(Type.String()),
  /** Hidden entries, all of them. */
  count: Type.Integer({ minimum: 0 }),
  /** Entries that were looked at. */
  looked: Type.Integer({ minimum: 0 }),
  /** False when there was more to look at. */
  complete: Type.Boolean(),
})
export type PreviewOfRules = Static<typeof PreviewOfRules>

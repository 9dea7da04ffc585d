import { Type, type Static } from 'typebox'

/** Allows or denies a path and everything beneath it, or all paths that a pattern matches. */
export const Rule = Type.Object(
  {
    regex: Type.Boolean({ default: false }),
    allow: Type.Boolean({ default: false }),
    path: Type.String({ default: '' }),
    regexp: Type.Union([Type.Object({ raw: Type.String({ maxLength: 4096 }) }), Type.Null()], { default: null }),
  },
  { title: 'Rule' },
)
export type Rule = Static<typeof Rule>

import { type Static, Type } from 'typebox'

/** The last run of the hourly chores. Times are in milliseconds since 1970. */
export const ChoreRun = Type.Object({
  id: Type.Literal('last'),
  at: Type.Integer(),
  /** When a run after `at` first found that the clock had jumped. */
  doubted: Type.Optional(Type.Integer()),
})
export type ChoreRun = Static<typeof ChoreRun>

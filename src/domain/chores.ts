import { type Static, Type } from 'typebox'

/** The last run of the hourly chores. Times are in milliseconds since 1970. */
export const ChoreRun = Type.Object({
  id: Type.Literal('last'),
  at: Type.Integer(),
  /** When the clock was first seen to have jumped since `at`. */
  doubted: Type.Optional(Type.Integer()),
})
export type ChoreRun = Static<typeof ChoreRun>

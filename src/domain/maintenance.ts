import { type Static, Type } from 'typebox'

/** The last run of the maintenance. Times are in milliseconds since 1970. */
export const MaintenanceRun = Type.Object({
  id: Type.Literal('last'),
  at: Type.Integer(),
  /** When the clock was first seen to have jumped since `at`. */
  doubted: Type.Optional(Type.Integer()),
})
export type MaintenanceRun = Static<typeof MaintenanceRun>

export const CacheSize = Type.Object({ entries: Type.Integer(), bytes: Type.Integer() })
export type CacheSize = Static<typeof CacheSize>

import { type Static, Type } from 'typebox'

/** When the recurring chores were last done. Times are in milliseconds since 1970. */
export const MaintenanceRun = Type.Object({
  id: Type.Literal('last'),
  at: Type.Integer(),
  /** Since when the clock has shown times that do not follow from `at`. */
  doubted: Type.Optional(Type.Integer()),
})
export type MaintenanceRun = Static<typeof MaintenanceRun>

/** What a cache holds. */
export const CacheSize = Type.Object({ entries: Type.Integer(), bytes: Type.Integer() })
export type CacheSize = Static<typeof CacheSize>

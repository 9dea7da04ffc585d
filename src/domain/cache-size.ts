import { Type, type Static } from 'typebox'

/** What a cache holds. */
export const CacheSize = Type.Object({ entries: Type.Integer(), bytes: Type.Integer() })
export type CacheSize = Static<typeof CacheSize>

import { type Static, Type } from 'typebox'

export const CacheSize = Type.Object({ entries: Type.Integer(), bytes: Type.Integer() })
export type CacheSize = Static<typeof CacheSize>

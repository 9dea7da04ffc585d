import { Type } from 'typebox'

/** The rest of the URL behind a prefix, percent-decoded once by the router. */
export const PathParams = Type.Object({ '*': Type.String() })

export const IdParams = Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) })

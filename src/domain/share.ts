import { Type, type Static } from 'typebox'
import type { ShareHash, UserId } from './ids.ts'

/** The stored record of a public link. `expire` in unix seconds, 0 = permanent. */
export const Share = Type.Object({
  hash: Type.Unsafe<ShareHash>(Type.String({ minLength: 1, maxLength: 64 })),
  path: Type.String({ maxLength: 4096 }),
  userID: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  expire: Type.Integer({ minimum: 0 }),
  passwordHash: Type.Optional(Type.String()),
})
export type Share = Static<typeof Share>

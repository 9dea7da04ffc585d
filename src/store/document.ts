import { Type, type Static } from 'typebox'
import type { UserId } from '../domain/ids.ts'
import { ServerOptions } from '../domain/server-options.ts'
import { Settings } from '../domain/settings.ts'
import { Share } from '../domain/share.ts'
import { User } from '../domain/user.ts'

export const STORE_VERSION = 1

/** Folder of the uploaded branding files until a restore begins another one. */
export const OWN_BRANDING = 'branding'

/** store.json. Saved server options only: what is absent has its default. `secrets` is never listed nor exported. */
export const StoreDocument = Type.Object({
  version: Type.Literal(STORE_VERSION),
  settings: Settings,
  server: Type.Partial(ServerOptions),
  users: Type.Array(User),
  shares: Type.Array(Share),
  /** Ids of deleted users are never given again: an old token or share must not fall to a newcomer. */
  nextUserId: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  /** Folder of the uploaded branding files, beside this document; `OWN_BRANDING` when absent. A restore begins another one. */
  brandingFolder: Type.Optional(Type.String({ pattern: '^branding\\.[\\w-]+$' })),
  secrets: Type.Object({ tokenKey: Type.String({ minLength: 86, description: '64 random bytes, base64url' }) }),
})
export type StoreDocument = Static<typeof StoreDocument>

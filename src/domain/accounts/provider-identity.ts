import { Type, type Static } from 'typebox'
import type { GroupId } from '../ids.ts'

/** A person as a provider knows them: the issuer and the subject, which never change; nothing else identifies anybody. */
export const ProviderIdentity = Type.Object({
  /** The issuer of OpenID Connect; `ldap:` and the id of a directory. */
  issuer: Type.String({ minLength: 1, maxLength: 2048 }),
  subject: Type.String({ minLength: 1, maxLength: 1024 }),
  /** The name there, for people. */
  label: Type.String({ maxLength: 256 }),
  /** Those that the claims gave at the last sign-in. */
  groups: Type.Array(Type.Unsafe<GroupId>(Type.String({ maxLength: 64 })), { default: [], maxItems: 200 }),
  /** Milliseconds since 1970. */
  linkedAt: Type.Integer({ minimum: 0 }),
  lastUsedAt: Type.Integer({ default: 0, minimum: 0 }),
})
export type ProviderIdentity = Static<typeof ProviderIdentity>

/** For each account. */
export const MAX_IDENTITIES = 16

import { Type, type Static } from 'typebox'
import { SIGN_IN_WAYS } from './auth-method.ts'
import { FACTORS } from './factors.ts'
import type { ProviderId, SessionFamily, SessionId, UserId } from '../ids.ts'

/** One signed-in device. Times are in milliseconds. A token names it in `sid`, and is invalid once the record is gone. */
export const Session = Type.Object({
  /** The `jti` of the current token. Each renewal changes it. */
  id: Type.Unsafe<SessionId>(Type.String({ minLength: 16, maxLength: 64 })),
  /** Stays the same when the token is renewed, and names the file of the record. */
  family: Type.Unsafe<SessionFamily>(Type.String({ minLength: 16, maxLength: 64, pattern: '^[\\w-]+$' })),
  /** How the user signed in. The session is invalid while that way is closed. */
  method: Type.Enum(SIGN_IN_WAYS),
  /** Where, if `method` is "oidc" or "ldap". */
  provider: Type.Optional(Type.Unsafe<ProviderId>(Type.String({ maxLength: 64 }))),
  /** The session there, which the provider names when it ends. */
  providerSession: Type.Optional(Type.String({ maxLength: 255 })),
  /** Proves to the provider whose session is to end. Only where a sign-out ends the one there, too. */
  idToken: Type.Optional(Type.String({ maxLength: 8192 })),
  /** What completed the sign-in, in a second step. */
  factor: Type.Optional(Type.Enum(FACTORS)),
  /** The trusted device on which it began. */
  device: Type.Optional(Type.String({ maxLength: 64 })),
  userId: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  signedInAt: Type.Integer(),
  issuedAt: Type.Integer(),
  expiresAt: Type.Integer(),
  lastSeenAt: Type.Integer(),
  /** SHA-256 of the ids replaced in the last minute: requests in flight and other tabs may still use them. */
  replaced: Type.Array(Type.Object({ id: Type.String({ maxLength: 64 }), at: Type.Integer() }), { maxItems: 64 }),
  /** The user's `credentialsVersion` at sign-in: once that differs, the session is over. */
  credentialsVersion: Type.Integer({ default: 0, minimum: 0 }),
  /** The record is kept until then even if it expires earlier, so that the session can finish its uploads. */
  heldUntil: Type.Optional(Type.Integer()),
  address: Type.String({ maxLength: 64 }),
  userAgent: Type.String({ maxLength: 256 }),
})
export type Session = Static<typeof Session>

/** How somebody signs in. */
export type SignInKind = Pick<Session, 'method' | 'provider' | 'factor'>
export type SignInWay = Pick<Session, 'method' | 'provider' | 'factor' | 'device' | 'providerSession' | 'idToken'>

/** A session as its owner and administrators see it. Times are RFC 3339. */
export const SessionView = Type.Object({
  id: Session.properties.family,
  userId: Session.properties.userId,
  username: Type.String(),
  current: Type.Boolean(),
  method: Session.properties.method,
  provider: Type.Optional(Type.String({ description: 'Name of the provider, if "method" is "oidc" or "ldap"' })),
  factor: Session.properties.factor,
  signedInAt: Type.String(),
  lastSeenAt: Type.String(),
  expiresAt: Type.String(),
  address: Type.String(),
  userAgent: Type.String(),
})
export type SessionView = Static<typeof SessionView>

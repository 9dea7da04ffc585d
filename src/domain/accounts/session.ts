import { Type, type Static } from 'typebox'
import { AUTH_METHODS } from './auth-method.ts'
import type { SessionFamily, SessionId, UserId } from '../ids.ts'

/** One signed-in device. Times in milliseconds. A token names it by its `sid`; one whose record is gone is worth nothing. */
export const Session = Type.Object({
  /** The `jti` of the present token. Each renewal changes it. */
  id: Type.Unsafe<SessionId>(Type.String({ minLength: 16, maxLength: 64 })),
  /** Stays the same through renewals, and names the file of the record. */
  family: Type.Unsafe<SessionFamily>(Type.String({ minLength: 16, maxLength: 64, pattern: '^[\\w-]+$' })),
  /** The method that its user signed in with. Invalid under any other method. */
  method: Type.Enum(AUTH_METHODS),
  userId: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  signedInAt: Type.Integer(),
  issuedAt: Type.Integer(),
  expiresAt: Type.Integer(),
  lastSeenAt: Type.Integer(),
  /** SHA-256 of the ids replaced in the last minute, which requests in flight and other windows may still use. */
  replaced: Type.Array(Type.Object({ id: Type.String({ maxLength: 64 }), at: Type.Integer() }), { maxItems: 64 }),
  /** The user's version at sign-in: once it differs, the session is over. */
  credentialsVersion: Type.Integer({ default: 0, minimum: 0 }),
  /** Until when the record outlives its expiry, for an upload that this session began or went on with. */
  heldUntil: Type.Optional(Type.Integer()),
  address: Type.String({ maxLength: 64 }),
  userAgent: Type.String({ maxLength: 256 }),
})
export type Session = Static<typeof Session>

/** A device as the owner and administrators see it. Times are RFC 3339. */
export const SessionView = Type.Object({
  id: Session.properties.family,
  userId: Session.properties.userId,
  username: Type.String(),
  current: Type.Boolean(),
  signedInAt: Type.String(),
  lastSeenAt: Type.String(),
  expiresAt: Type.String(),
  address: Type.String(),
  userAgent: Type.String(),
})
export type SessionView = Static<typeof SessionView>

import { createHash } from 'node:crypto'
import { parseDuration } from '../../../domain/text/units.ts'
import { fail } from '../../../domain/errors.ts'
import type { Session, SignInWay } from '../../../domain/accounts/session.ts'
import type { SessionFamily, SessionId } from '../../../domain/ids.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { ClientInfo } from '../auth/sign-in-request.ts'

/** How long a replaced id stays valid, for requests in flight and other windows. Milliseconds. */
const GRACE = 60_000
/** A session from further in the future (ms) was created while the clock was wrong, and would live too long. */
const CLOCK_SLACK = 60_000
/** Milliseconds before a session expires from which clients are asked to renew it. */
const HINT_BEFORE_END = 60 * 60_000

/**
 * New credentials are written before the sessions, so a session that is kept seems revoked for a moment. If it still does after
 * this many milliseconds, the writing process was killed in between.
 */
export const SETTLE_TIME = 2000

/** Lifetimes in milliseconds. */
export interface SessionLife {
  readonly token: number
  /** Of a session, including all its renewals. */
  readonly session: number
}

/** Returns a function for the lifetimes by the current settings. @throws as `sessionLife` */
export function createSessionLife(tokenExpirationTime: string, sessionMaxAge: () => string): () => SessionLife {
  let known: { readonly age: string; readonly life: SessionLife } | undefined
  return () => {
    const age = sessionMaxAge()
    if (known?.age !== age) known = { age, life: sessionLife(tokenExpirationTime, age) }
    return known.life
  }
}

/** @throws STORE_INVALID if a text is not a duration, which only an edit by hand can cause */
function sessionLife(tokenExpirationTime: string, sessionMaxAge: string): SessionLife {
  const [token, session] = [parseDuration(tokenExpirationTime), parseDuration(sessionMaxAge)]
  if (token === undefined || session === undefined) {
    fail(
      'STORE_INVALID',
      'tokenExpirationTime or sessionMaxAge is not a duration; correct it with "filemgr settings set"',
    )
  }
  return { token, session }
}

/** When a token issued now expires, in milliseconds; rounded to whole seconds, like the claim in the token. */
function endOf(now: number, signedInAt: number, life: SessionLife): number {
  const byToken = Math.floor(now / 1000) * 1000 + life.token
  return Math.floor(Math.min(byToken, signedInAt + life.session) / 1000) * 1000
}

/** Whether a session has expired. @param now milliseconds since 1970 */
export function isOver(session: Session, now: number, life: SessionLife): boolean {
  return now >= session.expiresAt || now >= session.signedInAt + life.session || isFromFuture(session, now)
}

/** Whether a session has an unfinished upload or job, which may continue after the session has expired. */
export function isHeld(session: Session, now: number): boolean {
  return now < (session.heldUntil ?? 0) && !isFromFuture(session, now)
}

/** What decides whether the work of a session may go on. */
export interface SessionFacts {
  /** Its latest known record. */
  readonly newest: Session
  /** Its present record. */
  readonly record: Session | undefined
  readonly user: User | undefined
  /** Whether people may still sign in the way this session began. */
  readonly isOpen: boolean
  readonly now: number
  readonly life: SessionLife
}

/**
 * Whether a session was ended, which is not to expire: "valid" includes expired ones. "settling" if the credentials have changed and
 * the session may still be updated, see `SETTLE_TIME`.
 */
export function standingOf({
  newest,
  record,
  user,
  isOpen,
  now,
  life,
}: SessionFacts): 'valid' | 'settling' | 'revoked' {
  // Records are also removed once they have expired, but those that are held only by a sign-out.
  const isRemoved = record === undefined && (!isOver(newest, now, life) || isHeld(newest, now))
  if (isRemoved || user === undefined || user.disabled || !isOpen) return 'revoked'
  if (user.credentialsVersion === newest.credentialsVersion) return 'valid'
  return record !== undefined && now - user.updatedAt < SETTLE_TIME ? 'settling' : 'revoked'
}

function isFromFuture(session: Session, now: number): boolean {
  return session.issuedAt > now + CLOCK_SLACK
}

/** Whether a session expires soon, and a renewal would extend it. */
export function endsSoon(session: Session, now: number, life: SessionLife): boolean {
  return session.expiresAt - now < HINT_BEFORE_END && endOf(now, session.signedInAt, life) > session.expiresAt
}

/** Devices of one user. The least recently used ones beyond that are signed out. */
const MAX_DEVICES = 100
/** How many ids replaced within a minute stay valid. */
const MAX_REPLACED = 20

export interface Issue {
  readonly user: User
  readonly way: SignInWay
  readonly client: ClientInfo
  readonly now: number
  readonly life: SessionLife
  readonly random: Random
}

/** The record of a sign-in. */
export function newSession({ user, way, client, now, life, random }: Issue): Session {
  return {
    id: random.token(24) as SessionId,
    family: random.token(16) as SessionFamily,
    ...way,
    userId: user.id,
    signedInAt: now,
    issuedAt: now,
    expiresAt: endOf(now, now, life),
    lastSeenAt: now,
    replaced: [],
    address: client.address.slice(0, 64),
    userAgent: client.userAgent.slice(0, 256),
    credentialsVersion: user.credentialsVersion,
  }
}

/** The session with a new id. */
export function renewed(session: Session, { client, now, life, random }: Omit<Issue, 'user' | 'way'>): Session {
  const replaced = [{ id: hashOf(session.id), at: now }, ...session.replaced.filter(({ at }) => isRecent(at, now))]
  return {
    ...session,
    id: random.token(24) as SessionId,
    issuedAt: now,
    expiresAt: endOf(now, session.signedInAt, life),
    lastSeenAt: now,
    replaced: replaced.slice(0, MAX_REPLACED),
    address: client.address.slice(0, 64),
    userAgent: client.userAgent.slice(0, 256),
  }
}

/** Compares a token's id with its session. An id that was replaced long ago can only be from a stolen copy. */
export function idStateOf(session: Session, id: string, now: number): 'current' | 'just replaced' | 'outdated' {
  if (session.id === id) return 'current'
  const recent = session.replaced.filter(({ at }) => isRecent(at, now))
  const hash = recent.length === 0 ? undefined : hashOf(id)
  return recent.some((old) => old.id === hash) ? 'just replaced' : 'outdated'
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

function isRecent(at: number, now: number): boolean {
  return now < at + GRACE
}

/** Records to remove at a sign-in: expired ones without an upload, and devices of the user beyond the limit. */
export function surplusWith(newest: Session, sessions: readonly Session[], now: number, life: SessionLife): Session[] {
  const isKept = (session: Session) => !isOver(session, now, life) || isHeld(session, now)
  const own = sessions.filter((session) => session.userId === newest.userId && isKept(session))
  return [...sessions.filter((session) => !isKept(session)), ...lastSeenFirst(own).slice(MAX_DEVICES - 1)]
}

export function lastSeenFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)
}

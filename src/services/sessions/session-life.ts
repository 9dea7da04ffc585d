import { parseDuration } from '../../domain/units.ts'
import { fail } from '../../domain/errors.ts'
import type { Session } from '../../domain/session.ts'
/** A replaced id stays good so long, for requests under way and other windows. Milliseconds. */
export const GRACE = 60_000
/** A session that began later than now was begun while the clock was wrong, and would live for as long as it was wrong. */
const CLOCK_SLACK = 60_000
const HINT_BEFORE_END = 60 * 60_000

/** How long sessions live, in milliseconds. */
export interface SessionLife {
  /** Of one token. */
  readonly token: number
  /** Of a session through all its renewals. */
  readonly session: number
}

/** @throws STORE_INVALID when the texts are no durations, which only an edit by hand brings about */
export function sessionLife(tokenExpirationTime: string, sessionMaxAge: string): SessionLife {
  const [token, session] = [parseDuration(tokenExpirationTime), parseDuration(sessionMaxAge)]
  if (token === undefined || session === undefined) {
    fail(
      'STORE_INVALID',
      'tokenExpirationTime or sessionMaxAge is not a duration; correct it with "filemgr settings set"',
    )
  }
  return { token, session }
}

/** When a token that is issued now ends, in milliseconds, on a whole second as the token says it. */
export function endOf(now: number, signedInAt: number, life: SessionLife): number {
  const byToken = Math.floor(now / 1000) * 1000 + life.token
  return Math.floor(Math.min(byToken, signedInAt + life.session) / 1000) * 1000
}

/** Whether a session has come to its end. @param now in milliseconds since 1970 */
export function isOver(session: Session, now: number, life: SessionLife): boolean {
  return now >= session.expiresAt || now >= session.signedInAt + life.session || isFromFuture(session, now)
}

/** An upload of it is under way, with which it may go on when it is over. */
export function isHeld(session: Session, now: number): boolean {
  return now < (session.heldUntil ?? 0) && !isFromFuture(session, now)
}

function isFromFuture(session: Session, now: number): boolean {
  return session.issuedAt > now + CLOCK_SLACK
}

/** The end is near, and a renewal would put it off. */
export function endsSoon(session: Session, now: number, life: SessionLife): boolean {
  return session.expiresAt - now < HINT_BEFORE_END && endOf(now, session.signedInAt, life) > session.expiresAt
}

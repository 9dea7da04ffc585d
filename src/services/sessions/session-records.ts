import { createHash } from 'node:crypto'
import type { AuthMethod } from '../../domain/auth-method.ts'
import type { SessionFamily, SessionId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import type { Random } from '../../platform/random.ts'
import type { ClientInfo } from './client-info.ts'
import { endOf, GRACE, isHeld, isOver, type SessionLife } from './session-life.ts'

/** Devices of one user; with one more, the one that was away longest is signed out. */
const MOST_DEVICES = 100
/** Renewals in a minute of which each leaves its id good. */
const MOST_REPLACED = 20

export interface Issue {
  readonly user: User
  readonly method: AuthMethod
  readonly client: ClientInfo
  readonly now: number
  readonly life: SessionLife
  readonly random: Random
}

/** The record of a sign-in. */
export function newSession({ user, method, client, now, life, random }: Issue): Session {
  return {
    id: random.token(24) as SessionId,
    family: random.token(16) as SessionFamily,
    method,
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

/** The same device with a new id. */
export function renewed(session: Session, { client, now, life, random }: Omit<Issue, 'user' | 'method'>): Session {
  const replaced = [{ id: hashOf(session.id), at: now }, ...session.replaced.filter(({ at }) => isRecent(at, now))]
  return {
    ...session,
    id: random.token(24) as SessionId,
    issuedAt: now,
    expiresAt: endOf(now, session.signedInAt, life),
    lastSeenAt: now,
    replaced: replaced.slice(0, MOST_REPLACED),
    address: client.address.slice(0, 64),
    userAgent: client.userAgent.slice(0, 256),
  }
}

/** What an id that was signed by us is to its session. Of one that was replaced long ago only a copy can still be in use. */
export function standingOf(session: Session, id: string, now: number): 'present' | 'just replaced' | 'outdated' {
  if (session.id === id) return 'present'
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

/** What goes with a sign-in: records that are over and not held for an upload, and devices of its user beyond the limit. */
export function surplusWith(newest: Session, sessions: readonly Session[], now: number, life: SessionLife): Session[] {
  const isKept = (session: Session) => !isOver(session, now, life) || isHeld(session, now)
  const own = sessions.filter((session) => session.userId === newest.userId && isKept(session))
  return [...sessions.filter((session) => !isKept(session)), ...lastSeenFirst(own).slice(MOST_DEVICES - 1)]
}

export function lastSeenFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)
}

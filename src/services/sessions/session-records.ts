import type { SessionFamily, SessionId, UserId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import type { Random } from '../../platform/random.ts'
import type { ClientInfo } from './client-info.ts'
import { endOf, isHeld, isOver, type SessionLife } from './session-life.ts'

/** Devices of one user; with one more, the one that was away longest is signed out. */
const MOST_DEVICES = 100
/** Replaced ids of one device that are remembered to notice their replay. */
const MOST_REPLACED = 50

export interface Issue {
  readonly user: User
  readonly client: ClientInfo
  readonly now: number
  readonly life: SessionLife
  readonly random: Random
  /** The session that the new one continues. */
  readonly previous?: Session
}

/** The record of a session; one that follows another keeps its family and the time of the sign-in. */
export function newSession({ user, client, now, life, random, previous }: Issue): Session {
  const signedInAt = previous?.signedInAt ?? now
  return {
    id: random.token(24) as SessionId,
    family: previous?.family ?? (random.token(16) as SessionFamily),
    userId: user.id,
    signedInAt,
    issuedAt: now,
    expiresAt: endOf(now, signedInAt, life),
    lastSeenAt: now,
    address: client.address.slice(0, 64),
    userAgent: client.userAgent.slice(0, 256),
    credentialsVersion: user.credentialsVersion,
  }
}

/** Without records that are over and not held for an upload, and with no more than the limits allow. Replaced ids stay until they are over. */
export function swept(sessions: readonly Session[], now: number, life: SessionLife): Session[] {
  const alive = sessions.filter((session) => !isOver(session, now, life) || isHeld(session, now))
  const surplus = new Set([...surplusDevices(alive), ...surplusReplaced(alive)])
  return alive.filter((session) => !surplus.has(session))
}

function surplusDevices(sessions: readonly Session[]): Session[] {
  return [...Map.groupBy(sessions, (session) => session.userId).values()].flatMap((ofUser) => {
    const devices = devicesOf(ofUser)
    return devices.slice(MOST_DEVICES).flatMap((device) => device.records)
  })
}

function surplusReplaced(sessions: readonly Session[]): Session[] {
  const replaced = sessions.filter((session) => session.supersededAt !== undefined)
  return [...Map.groupBy(replaced, (session) => session.family).values()].flatMap((ofFamily) =>
    ofFamily.toSorted((a, b) => b.issuedAt - a.issuedAt).slice(MOST_REPLACED),
  )
}

/** One signed-in browser or script. */
export interface Device {
  readonly family: SessionFamily
  readonly userId: UserId
  readonly records: readonly Session[]
  /** The record with the latest token. */
  readonly newest: Session
  /** The record that was used last. */
  readonly lastSeen: Session
}

/** Last seen first. */
export function devicesOf(sessions: readonly Session[]): Device[] {
  const families = Map.groupBy(sessions, (session) => session.family)
  const devices = [...families].map(([family, records]): Device => {
    const newest = records.reduce((a, b) => (b.issuedAt >= a.issuedAt ? b : a))
    const lastSeen = records.reduce((a, b) => (b.lastSeenAt >= a.lastSeenAt ? b : a))
    return { family, userId: newest.userId, records, newest, lastSeen }
  })
  return devices.toSorted((a, b) => b.lastSeen.lastSeenAt - a.lastSeen.lastSeenAt)
}

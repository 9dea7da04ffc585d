import type { AuthMethod } from '../../../domain/accounts/auth-method.ts'
import type { SessionFamily, UserId } from '../../../domain/ids.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Collection, RecordChange, Store } from '../../../store/store.ts'
import { isHeld, isOver, type SessionLife } from './session-records.ts'

/** How a session ended: revoked or expired. */
export type SessionEnd = 'revoked' | 'expired'

/**
 * Tells what goes on for long that its session is over: without it a connection would outlive the sign-out. Whichever process
 * ended the session is heard of. A session is followed through its renewals.
 */
export interface SessionWatch extends Disposable {
  /**
   * For work that may outlive the time of its session, but no sign-out, change of the password or of the administrator's
   * permission, nor the user. @returns the way to hear no more
   */
  onRevoked(session: Session, listener: () => void): () => void
  /** For what must end with its session in any case; "revoked" may still follow "expired". @returns the way to hear no more */
  onEnd(session: Session, listener: (end: SessionEnd) => void): () => void
}

export interface SessionWatchDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly life: () => SessionLife
  readonly method: () => AuthMethod
  readonly clock: Clock
}

/**
 * A change of credentials is written before the sessions that it ends, and the one that it keeps looks ended in between. What
 * remains so for this many milliseconds was left by a process that was killed in between.
 */
const DOUBT = 2000
/** Timers take no more. */
const LONGEST_TIMER = 2 ** 31 - 1

type Listener = (end: SessionEnd) => void

interface Family {
  /** As it was seen last. */
  newest: Session
  readonly onRevoked: Set<Listener>
  readonly onEnd: Set<Listener>
  hasExpired: boolean
  expiry?: NodeJS.Timeout | undefined
  doubt?: NodeJS.Timeout | undefined
}

export function createSessionWatch({ store, sessions, life, method, clock }: SessionWatchDeps): SessionWatch {
  const families = new Map<SessionFamily, Family>()

  const userOf = ({ userId }: Session): User | undefined => store.snapshot().users.find(({ id }) => id === userId)

  const forget = (family: Family): void => {
    clearTimeout(family.expiry)
    clearTimeout(family.doubt)
    families.delete(family.newest.family)
  }

  const revoke = (family: Family): void => {
    forget(family)
    for (const listener of [...family.onRevoked, ...family.onEnd]) listener('revoked')
  }

  const expire = (family: Family): void => {
    if (family.hasExpired) return
    family.hasExpired = true
    for (const listener of [...family.onEnd]) listener('expired')
  }

  const doubt = (family: Family): void => {
    family.doubt ??= setTimeout(() => revoke(family), DOUBT).unref()
  }

  const judge = (family: Family, record: Session | undefined, user: User | undefined): void => {
    const isRenewed = record !== undefined && record !== family.newest
    if (record !== undefined) family.newest = record
    const hasEnded = isOver(family.newest, clock.now(), life())
    // A session held for an upload ends only on request, even after it has expired.
    const isTaken = record === undefined && (!hasEnded || isHeld(family.newest, clock.now()))
    if (user === undefined || isTaken || family.newest.method !== method()) return revoke(family)
    if (user.credentialsVersion !== family.newest.credentialsVersion) {
      // A session that has ended needs no further notice.
      if (record === undefined) return revoke(family)
      doubt(family)
    } else {
      clearTimeout(family.doubt)
      family.doubt = undefined
    }
    if (hasEnded) expire(family)
    else if (isRenewed && family.expiry !== undefined) awaitExpiry(family)
  }

  const judgeAll = (): void => {
    if (families.size === 0) return
    const users = new Map<UserId, User>(store.snapshot().users.map((user) => [user.id, user]))
    for (const [id, family] of families) judge(family, sessions.get(id), users.get(family.newest.userId))
  }

  const judgeChanged = (changes: readonly RecordChange<Session>[]): void => {
    for (const { before, now } of changes) {
      const session = now ?? before
      const family = session && families.get(session.family)
      if (family !== undefined) judge(family, now, userOf(family.newest))
    }
  }

  const awaitExpiry = (family: Family): void => {
    clearTimeout(family.expiry)
    const { newest } = family
    const end = Math.min(newest.expiresAt, newest.signedInAt + life().session)
    const left = Math.min(Math.max(end - clock.now(), 1), LONGEST_TIMER)
    family.expiry = setTimeout(() => {
      if (isOver(family.newest, clock.now(), life())) expire(family)
      else awaitExpiry(family)
    }, left).unref()
  }

  const familyOf = (session: Session): Family => {
    const known = families.get(session.family)
    if (known !== undefined) return known
    // A request that was under way while the session was renewed comes with the record before.
    const newest = sessions.get(session.family) ?? session
    const family: Family = { newest, onRevoked: new Set(), onEnd: new Set(), hasExpired: false }
    families.set(session.family, family)
    return family
  }

  const add = (family: Family, listeners: Set<Listener>, listener: Listener) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      const isUnheard = family.onRevoked.size === 0 && family.onEnd.size === 0
      if (isUnheard && families.get(family.newest.family) === family) forget(family)
    }
  }

  const stops = [store.onChange(judgeAll), sessions.onChange(judgeChanged)]

  return {
    onRevoked(session, listener) {
      const family = familyOf(session)
      return add(family, family.onRevoked, () => listener())
    },
    onEnd(session, listener) {
      const family = familyOf(session)
      if (family.expiry === undefined) awaitExpiry(family)
      return add(family, family.onEnd, (end) => listener(end))
    },
    [Symbol.dispose]() {
      for (const stop of stops) stop()
      for (const family of families.values()) forget(family)
    },
  }
}

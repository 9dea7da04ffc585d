import type { SessionFamily, UserId } from '../../../domain/ids.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Collection, RecordChange, Store } from '../../../store/store.ts'
import type { WayIsOpen } from './open-ways.ts'
import { isOver, type SessionLife, SETTLE_TIME, standingOf } from './session-records.ts'

export type SessionEnd = 'revoked' | 'expired'

export interface SessionWatchDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly life: () => SessionLife
  readonly isOpen: WayIsOpen
  readonly clock: Clock
}

/** The maximum of setTimeout. */
const MAX_TIMER = 2 ** 31 - 1

type Listener = (end: SessionEnd) => void

interface Family {
  /** Its latest known record. */
  newest: Session
  readonly listeners: Set<Listener>
  hasExpired: boolean
  expiry?: NodeJS.Timeout | undefined
  settling?: NodeJS.Timeout | undefined
}

/**
 * Notifies long-running work of the end of its session: without it, a connection would outlive the sign-out. Also notices
 * sessions that other processes end. Follows a session through its renewals.
 */
export function createSessionWatch({ store, sessions, life, isOpen, clock }: SessionWatchDeps) {
  const families = new Map<SessionFamily, Family>()

  const userOf = ({ userId }: Session): User | undefined => store.snapshot().users.find(({ id }) => id === userId)

  const forget = (family: Family): void => {
    clearTimeout(family.expiry)
    clearTimeout(family.settling)
    families.delete(family.newest.family)
  }

  const revoke = (family: Family): void => {
    forget(family)
    for (const listener of [...family.listeners]) listener('revoked')
  }

  const expire = (family: Family): void => {
    if (family.hasExpired) return
    family.hasExpired = true
    for (const listener of [...family.listeners]) listener('expired')
  }

  const revokeUnlessUpdated = (family: Family): void => {
    family.settling ??= setTimeout(() => revoke(family), SETTLE_TIME).unref()
  }

  const check = (family: Family, record: Session | undefined, user: User | undefined): void => {
    const isRenewed = record !== undefined && record !== family.newest
    if (record !== undefined) family.newest = record
    const { newest } = family
    const now = clock.now()
    const standing = standingOf({ newest, record, user, isOpen: isOpen(newest), now, life: life() })
    if (standing === 'revoked') return revoke(family)
    if (standing === 'settling') revokeUnlessUpdated(family)
    else {
      clearTimeout(family.settling)
      family.settling = undefined
    }
    if (isOver(newest, now, life())) expire(family)
    else if (isRenewed && family.expiry !== undefined) awaitExpiry(family)
  }

  const checkAll = (): void => {
    if (families.size === 0) return
    const users = new Map<UserId, User>(store.snapshot().users.map((user) => [user.id, user]))
    for (const [id, family] of families) check(family, sessions.get(id), users.get(family.newest.userId))
  }

  const checkChanged = (changes: readonly RecordChange<Session>[]): void => {
    for (const { before, now } of changes) {
      const session = now ?? before
      const family = session && families.get(session.family)
      if (family !== undefined) check(family, now, userOf(family.newest))
    }
  }

  const awaitExpiry = (family: Family): void => {
    clearTimeout(family.expiry)
    const { newest } = family
    const end = Math.min(newest.expiresAt, newest.signedInAt + life().session)
    const delay = Math.min(Math.max(end - clock.now(), 1), MAX_TIMER)
    family.expiry = setTimeout(() => {
      if (isOver(family.newest, clock.now(), life())) expire(family)
      else awaitExpiry(family)
    }, delay).unref()
  }

  const familyOf = (session: Session): Family => {
    const known = families.get(session.family)
    if (known !== undefined) return known
    // A request that began before a renewal still has the old record.
    const newest = sessions.get(session.family) ?? session
    const family: Family = { newest, listeners: new Set(), hasExpired: false }
    families.set(session.family, family)
    return family
  }

  const unsubscribe = [store.onChange(checkAll), sessions.onChange(checkChanged)]

  return {
    /** For work that must end with its session. "revoked" may follow "expired". @returns a function that unsubscribes */
    onEnd(session: Session, listener: (end: SessionEnd) => void): () => void {
      const family = familyOf(session)
      if (family.expiry === undefined) awaitExpiry(family)
      // Not the listener itself, which two callers may share.
      const notify: Listener = (end) => listener(end)
      family.listeners.add(notify)
      return () => {
        family.listeners.delete(notify)
        if (family.listeners.size === 0 && families.get(family.newest.family) === family) forget(family)
      }
    },
    [Symbol.dispose]() {
      for (const stop of unsubscribe) stop()
      for (const family of families.values()) forget(family)
    },
  }
}

export type SessionWatch = ReturnType<typeof createSessionWatch>

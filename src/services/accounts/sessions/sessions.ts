import { type Accounts, type Actor, requireAdmin, requireSignedIn, userIdOf } from '../../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { type ActivityLog, auditText } from '../../../domain/server/audit.ts'
import type { SessionFamily, SessionId, UserId } from '../../../domain/ids.ts'
import { maintenanceRefusal } from '../../../domain/server/maintenance.ts'
import { mayDo, requireRight } from '../../../domain/access/permissions.ts'
import type { Session, SessionView, SignInWay, SignInKind } from '../../../domain/accounts/session.ts'
import type { EffectiveUser } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Collection, Store } from '../../../store/store.ts'
import { noteSignIn } from '../../activity-notes.ts'
import type { ClientInfo } from '../auth/sign-in-request.ts'
import { UserIndex } from '../../stored-users.ts'
import { forgetDevices } from '../factors/trusted-devices.ts'
import type { WayIsOpen } from './open-ways.ts'
import { sessionViewOf } from './session-view.ts'
import { SessionActivity } from './session-activity.ts'
import {
  isHeld,
  isOver,
  lastSeenFirst,
  newSession,
  renewed,
  standingOf,
  type SessionLife,
  idStateOf,
  surplusWith,
} from './session-records.ts'

/** The ids in a token. */
export interface TokenIds {
  /** The family id of the session. */
  readonly sid: string
  /** The id of this token. */
  readonly jti: string
}

/** Signed-in devices. Each device has a family id, which stays the same through renewals. */
export interface Sessions extends AsyncDisposable {
  /** The user's devices, last seen first; for administrators and the operator, also those of another or all users. */
  list(actor: Actor, filter?: { all?: boolean; userId?: UserId }): Promise<SessionView[]>
  /** @throws NOT_FOUND; FORBIDDEN for another user's */
  revoke(actor: Actor, id: string): Promise<void>
  /** Signs a user out everywhere. Resolves with the number of devices. */
  revokeAllOf(actor: Actor, userId: UserId): Promise<number>
  /** Signs all users out, the caller too. Resolves with the number of devices. @throws FORBIDDEN */
  revokeAllUsers(actor: Actor): Promise<number>
  /** Signs out all own devices but this one. Resolves with their number. */
  revokeOthers(actor: Actor): Promise<number>
}

/** Sessions for the sign-in services. Not available to HTTP and the command line. */
export interface SessionBook extends Sessions {
  /**
   * Starts a session. All ways to sign in end here.
   *
   * @throws FORBIDDEN for a disabled account; MAINTENANCE
   */
  start(user: User, way: SignInWay, client: ClientInfo): Promise<Session>
  /**
   * Gives the session a new id. The old one stays valid for a minute; renewing with it returns the new one, so that two
   * windows can renew at the same time.
   *
   * @throws UNAUTHENTICATED if it has ended
   */
  renew(session: Session, client: ClientInfo): Promise<Session>
  /** The user whom `resume` would return; undefined if it would not accept this token. */
  userOf(ids: TokenIds): EffectiveUser | undefined
  /** The session, with the id of this token, and its user. @throws UNAUTHENTICATED if it has expired, or was ended or replaced */
  resume(ids: TokenIds, client: ClientInfo): Resumed
  /** The session of a device; undefined if it has ended. */
  find(family: SessionFamily): Session | undefined
  /**
   * The account of a session that was resumed, as it is stored at each call, or in the document that is given: undefined once the session was ended, but not because
   * it has expired, so that work which has begun may go on.
   */
  follow(session: Session): (at?: Accounts) => EffectiveUser | undefined
  /** Like `resume`, to renew the session. If the token was replaced long ago, it must be a stolen copy: the session is ended. */
  resumeToRenew(ids: TokenIds, client: ClientInfo): Promise<Resumed>
  /** Like `resume`, to continue an upload: also resumes an expired session that is held. */
  resumeForUpload(ids: TokenIds, client: ClientInfo): Resumed & { isExpired: boolean }
  /**
   * Keeps the record of a session even if it expires earlier. Does nothing if it is kept until `needed` already; otherwise it
   * is kept until `until` (both in ms since 1970).
   *
   * @throws STORE_BUSY while the database is away
   */
  extend(family: SessionFamily, times: { readonly needed: number; readonly until: number }): Promise<void>
  /** When a session of each user was last used, in milliseconds since 1970. */
  lastSeen(): ReadonlyMap<UserId, number>
  end(family: SessionFamily): Promise<void>
  /** Resolves with the number of devices. */
  endWhere(ends: (session: Session) => boolean): Promise<number>
  endAllOf(userId: UserId): Promise<void>
  /** Ends all sessions of a user except this device, after a change of credentials. */
  endOthers(user: User, kept: SessionFamily | undefined): Promise<void>
}

export interface Resumed {
  readonly session: Session
  readonly user: EffectiveUser
  /** This token was replaced by another. */
  readonly isReplaced: boolean
}

export interface SessionsDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  readonly life: () => SessionLife
  readonly isOpen: WayIsOpen
  readonly audit: ActivityLog
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

const NO_SESSION = { family: undefined, device: undefined }
const ENDED = 'the session has ended; sign in again'
const HOLD_TRIES = 3

export function createSessions(deps: SessionsDeps): SessionBook {
  const { store, sessions, life, isOpen, audit, clock, random, log } = deps

  const users = new UserIndex(store)

  const userOf = ({ userId }: Session, at?: Accounts): EffectiveUser | undefined => {
    const user = users.find(userId, at)
    return user?.disabled === true ? undefined : user
  }

  // A session must not survive the end of its way to sign in, such as one that was started without sign-in.
  const isUnrevoked = (session: Session): boolean =>
    isOpen(session) && userOf(session)?.credentialsVersion === session.credentialsVersion

  const isAlive = (session: Session): boolean => !isOver(session, clock.now(), life()) && isUnrevoked(session)

  const isExpired = (session: Session): boolean =>
    isOver(session, clock.now(), life()) && isHeld(session, clock.now()) && isUnrevoked(session)

  /** Saves and removes sessions. Copies the last-seen times of removed ones to their users. */
  const change = async (put: readonly Session[], gone: readonly Session[]): Promise<void> => {
    await sessions.change({ put, remove: familiesOf(gone) })
    const seen = lastSeenOf(gone)
    const isNews = ({ id, lastSeenAt = 0 }: User) => (seen.get(id) ?? 0) > lastSeenAt
    if (!store.snapshot().users.some(isNews)) return
    await store
      .update((draft, now) => {
        const updated = (user: User) => (isNews(user) ? { ...user, lastSeenAt: seen.get(user.id) ?? 0 } : user)
        draft.users = now.users.map(updated)
      })
      .catch((error: unknown) => log.error({ err: error }, 'when users were last seen could not be saved'))
  }

  const endWhere = async (ends: (session: Session) => boolean): Promise<void> =>
    await change([], sessions.all().filter(ends))

  /** Signs one device out for good: it takes the second step, too, when it signs in again. */
  const signOut = async ({ family, userId, device }: Session): Promise<void> => {
    if (device !== undefined) await forgetDevices(store, ({ id }, owner) => owner === userId && id === device)
    await endWhere((session) => session.family === family)
  }

  /** Includes expired ones that have an upload or a job, which signing the device out ends. */
  const aliveDevices = (): Session[] =>
    lastSeenFirst(sessions.all().filter((session) => isAlive(session) || isExpired(session)))

  const activity = new SessionActivity({
    clock,
    write: async (seen) => {
      const present = [...seen].map(([family, sighting]) => ({ session: sessions.get(family), sighting }))
      const put = present.flatMap(({ session, sighting: { at, address } }) =>
        session === undefined ? [] : { ...session, lastSeenAt: at, address },
      )
      await sessions.change({ put })
    },
    onFailure: (error) => log.error({ err: error }, 'when sessions were last seen could not be saved'),
  })

  const findAlive = ({ sid, jti }: TokenIds) => {
    const session = sessions.get(sid)
    const user = session === undefined ? undefined : userOf(session)
    if (session === undefined || user === undefined || !isAlive(session)) fail('UNAUTHENTICATED', ENDED)
    return { session, user, state: idStateOf(session, jti, clock.now()) }
  }

  const resume: SessionBook['resume'] = (ids, client) => {
    const { session, user, state } = findAlive(ids)
    if (state === 'outdated') fail('UNAUTHENTICATED', 'this token was replaced by a newer one; sign in again')
    activity.record(session, client.address)
    if (state === 'current') return { session, user, isReplaced: false }
    return { session: { ...session, id: ids.jti as SessionId }, user, isReplaced: true }
  }

  return {
    resume,

    find: (family) => sessions.get(family),

    follow(resumed) {
      let newest = resumed
      return (at) => {
        const record = sessions.get(newest.family)
        newest = record ?? newest
        const user = userOf(newest, at)
        const facts = { newest, record, user, isOpen: isOpen(newest), now: clock.now(), life: life() }
        return standingOf(facts) === 'revoked' ? undefined : user
      }
    },

    async resumeToRenew(ids, client) {
      const { session, user, state } = findAlive(ids)
      if (state !== 'outdated') return resume(ids, client)
      await signOut(session)
      const [who, address] = [auditText(user.username), client.address]
      log.warn(
        { user: who, address },
        'a client used a token that was replaced long ago to renew, so the session was ended',
      )
      audit.record({
        who,
        userID: user.id,
        session: session.family.slice(0, 8),
        address,
        action: 'sessions.revoke',
        target: 'renewed with a replaced token, as a thief would',
        outcome: 'done',
      })
      return fail('UNAUTHENTICATED', ENDED)
    },

    async list(actor, { all = false, userId } = {}) {
      requireSignedIn(actor)
      const own = actor.kind === 'user' ? actor.id : undefined
      const onlyUser = userId ?? (all ? undefined : own)
      if (actor.kind === 'user' && onlyUser !== own) requireRight(actor.user().perm, 'sessions.manage')
      const names = new Map(store.snapshot().users.map((user) => [user.id, user.username]))
      return aliveDevices()
        .filter((device) => onlyUser === undefined || device.userId === onlyUser)
        .map((device) => sessionViewOf(device, names.get(device.userId) ?? '', actor, store.snapshot().providers))
    },

    async revoke(actor, id) {
      requireSignedIn(actor)
      const device = aliveDevices().find(({ family }) => family === id)
      if (device === undefined) fail('NOT_FOUND', 'there is no such session')
      requireOwner(actor, device.userId)
      await signOut(device)
    },

    async revokeAllOf(actor, userId) {
      requireSignedIn(actor)
      requireOwner(actor, userId)
      const count = aliveDevices().filter((device) => device.userId === userId).length
      await forgetDevices(store, (_device, owner) => owner === userId)
      await endWhere((session) => session.userId === userId)
      return count
    },

    async revokeAllUsers(actor) {
      requireSignedIn(actor)
      requireAdmin(actor, 'sessions.manage')
      const count = aliveDevices().length
      await forgetDevices(store, () => true)
      await endWhere(() => true)
      return count
    },

    async revokeOthers(actor) {
      requireSignedIn(actor)
      const id = userIdOf(actor)
      const { family: kept, device: own } = actor.kind === 'user' ? actor.session : NO_SESSION
      const isOther = ({ userId, family }: { userId: UserId; family: SessionFamily }) =>
        userId === id && family !== kept
      const count = aliveDevices().filter(isOther).length
      await forgetDevices(store, (device, owner) => owner === id && device.id !== own)
      await endWhere(isOther)
      return count
    },

    lastSeen: () => {
      const stored = store.snapshot().users.map(({ id, lastSeenAt }) => ({ userId: id, lastSeenAt }))
      const unsaved = activity.unsaved().flatMap(({ family, lastSeenAt }) => {
        const session = sessions.get(family)
        return session === undefined ? [] : { userId: session.userId, lastSeenAt }
      })
      return lastSeenOf([...stored, ...sessions.all(), ...unsaved])
    },

    async start(user, way, client) {
      if (store.snapshot().users.find(({ id }) => id === user.id)?.disabled === true) {
        fail('FORBIDDEN', 'this account is disabled; ask an administrator', { field: 'username', reason: 'disabled' })
      }
      const refusal = maintenanceRefusal(store.snapshot().maintenance, user, clock.now())
      if (refusal !== undefined) throw refusal
      const session = newSession({ user, way, client, now: clock.now(), life: life(), random })
      const surplus = surplusWith(session, sessions.all(), clock.now(), life())
      await change([session], surplus)
      noteSignIn({
        who: auditText(user.username),
        userID: user.id,
        session: session.family.slice(0, 8),
        ...kindOf(way),
      })
      return session
    },

    async renew({ family, id }, client) {
      const now = clock.now()
      const current = sessions.get(family)
      if (current === undefined || !isAlive(current)) fail('UNAUTHENTICATED', ENDED)
      const state = idStateOf(current, id, now)
      if (state === 'outdated') fail('UNAUTHENTICATED', ENDED)
      // If another window has just renewed it, save it again, because that may not be on the disk yet.
      const next = state === 'just replaced' ? current : renewed(current, { client, now, life: life(), random })
      await sessions.change({ put: [next] })
      return next
    },

    userOf({ sid, jti }) {
      const session = sessions.get(sid)
      const isValid = session !== undefined && isAlive(session) && idStateOf(session, jti, clock.now()) !== 'outdated'
      return isValid ? userOf(session) : undefined
    },

    resumeForUpload(ids, client) {
      const session = sessions.get(ids.sid)
      if (session?.id !== ids.jti || !isExpired(session)) return { ...resume(ids, client), isExpired: false }
      const user = userOf(session) ?? fail('UNAUTHENTICATED', ENDED)
      activity.record(session, client.address)
      return { session, user, isReplaced: false, isExpired: true }
    },

    async extend(family, { needed, until }) {
      for (let tries = 1; ; tries += 1) {
        const held = sessions.get(family)
        // Must not bring back a session that has ended meanwhile.
        if (held === undefined || (held.heldUntil ?? 0) >= needed) return
        try {
          await sessions.change({ put: [{ ...held, heldUntil: until }] })
          return
        } catch (error) {
          // Another daemon changed the session at the same time, most likely to hold it for another upload of the page.
          if (!isFilemgrError(error, 'STORE_BUSY') || tries === HOLD_TRIES) throw error
        }
      }
    },

    async endWhere(ends) {
      const count = aliveDevices().filter(ends).length
      await endWhere(ends)
      return count
    },

    end: async (family) => await endWhere((session) => session.family === family),

    endAllOf: async (userId) => await endWhere((session) => session.userId === userId),

    async endOthers(user, kept) {
      const own = sessions.all().filter(({ userId }) => userId === user.id)
      const put = own.filter(({ family }) => family === kept)
      await change(
        put.map((session) => ({ ...session, credentialsVersion: user.credentialsVersion })),
        own.filter(({ family }) => family !== kept),
      )
    },

    [Symbol.asyncDispose]: async () => await activity[Symbol.asyncDispose](),
  }
}

/** The latest of each user. Times are in milliseconds since 1970; 0 or none for never. */
export function lastSeenOf(
  sightings: readonly { readonly userId: UserId; readonly lastSeenAt?: number | undefined }[],
): Map<UserId, number> {
  const seen = new Map<UserId, number>()
  for (const { userId, lastSeenAt } of sightings) {
    if (lastSeenAt) seen.set(userId, Math.max(seen.get(userId) ?? 0, lastSeenAt))
  }
  return seen
}

const familiesOf = (list: readonly Session[]) => list.map(({ family }) => family)

function requireOwner(actor: Actor, userId: UserId): void {
  if (actor.kind === 'operator' || actor.id === userId) return
  if (!mayDo(actor.user().perm, 'sessions.manage')) fail('FORBIDDEN', 'this is the session of another user')
}

/** What the activity log may have of a way: the rest is for the provider. */
function kindOf({ method, provider, factor }: SignInWay): SignInKind {
  return { method, ...(provider !== undefined && { provider }), ...(factor !== undefined && { factor }) }
}
